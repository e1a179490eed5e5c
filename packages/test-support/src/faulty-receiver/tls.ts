import { answered, type Behaviour, failed, reply, say } from './behaviour.js';

const CLIENT_WAITS = '\u0016\u0003\u0003\u0000\u007a';

/** Receivers with invalid TLS. They would respond with a success, but must not be reached. */
export const TLS: readonly Behaviour[] = [
  ...(['expired', 'other_host', 'unknown_authority', 'old_tls'] as const).map(
    (port): Behaviour => ({
      name: `has TLS that is not in order: ${port}`,
      port,
      play: say(reply(200, 'trusted')),
      ends: [failed('tls_failed')],
    }),
  ),
  {
    name: 'speaks plain http on the https port',
    port: 'plain',
    play: (socket) => void socket.once('data', () => socket.end(reply(200, 'trusted'))),
    ends: [failed('tls_failed')],
  },
  {
    name: 'says nothing where TLS begins',
    port: 'plain',
    play: (socket) => void socket.resume(),
    ends: [failed('timed_out')],
  },
  {
    name: 'stops within the handshake',
    port: 'plain',
    play: (socket) => void socket.once('data', () => socket.write(CLIENT_WAITS, 'latin1')),
    ends: [failed('timed_out')],
  },
  { name: 'has TLS in order', play: say(reply(200, 'trusted')), ends: [answered(200, 'trusted')] },
];
