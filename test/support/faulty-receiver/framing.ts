import {
  answer,
  answered,
  type Behaviour,
  type ExpectedEnd,
  failed,
  oddly,
  reply,
  say,
} from './behaviour.js';

/** Receivers with contradictory framing, or with extra responses. */
export const FRAMING: readonly Behaviour[] = [
  framing('too long a length', 'content-length: 99\r\n\r\nshort', answered(500, 'short'), 'closing'),
  framing('too short a length', 'content-length: 2\r\n\r\nlonger', answered(500, 'lo')),
  framing(
    'a length and chunks',
    'content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    oddly(500),
  ),
  framing(
    'chunks and a length',
    'transfer-encoding: chunked\r\ncontent-length: 1\r\n\r\n0\r\n\r\n',
    oddly(500),
  ),
  framing('two lengths', 'content-length: 1\r\ncontent-length: 2\r\n\r\nab', oddly(500)),
  framing('a length below zero', 'content-length: -1\r\n\r\nab', oddly(500)),
  framing('a length that is no number', 'content-length: 1e1\r\n\r\nab', oddly(500)),
  framing('a length beyond all numbers', `content-length: ${'9'.repeat(40)}\r\n\r\nab`, oddly(500)),
  framing('a broken chunk', 'transfer-encoding: chunked\r\n\r\n2\r\nab\r\nxyz\r\n', answered(500, 'ab')),
  framing(
    'a chunk beyond all numbers',
    `transfer-encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\n`,
    answered(500),
  ),
  framing('an unfinished chunk', 'transfer-encoding: chunked\r\n\r\n9\r\nab', answered(500, 'ab'), 'closing'),
  framing(
    'chunks that are gzip first',
    'transfer-encoding: chunked, gzip\r\n\r\nab',
    answered(500, 'ab'),
    'closing',
  ),
  {
    name: 'answers twice, the second time with a success',
    play: say(Buffer.concat([reply(500, 'no'), reply(200, 'stale')])),
    ends: [answered(500, 'no')],
  },
  {
    name: 'answers again a moment later, with a success',
    play: answer((socket) => {
      socket.write(reply(500, 'no'));
      setTimeout(() => socket.write(reply(200, 'stale')), 5);
    }),
    ends: [answered(500, 'no')],
  },
  {
    name: 'fails every other time',
    play: answer((socket, _around, before) => {
      socket.write(before % 2 === 0 ? reply(500, 'no') : reply(200, 'ok'));
    }),
    ends: [answered(500, 'no'), answered(200, 'ok')],
  },
  {
    name: 'resets every other time',
    play: answer((socket, _around, before) => {
      if (before % 2 === 0) socket.destroy();
      else socket.write(reply(200, 'ok'));
    }),
    ends: [failed('protocol_error'), answered(200, 'ok')],
  },
];

function framing(
  what: string,
  rest: string,
  end: ExpectedEnd,
  then: 'closing' | 'waiting' = 'waiting',
): Behaviour {
  const bytes = `HTTP/1.1 500 No\r\n${rest}`;
  return {
    name: `answers with ${what}`,
    play: then === 'waiting' ? say(bytes) : answer((socket) => void socket.end(bytes)),
    ends: [end],
  };
}
