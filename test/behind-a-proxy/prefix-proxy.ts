import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from '../conformance/listen.js';
import { PREFIX } from './host.js';

/**
 * Starts a proxy of Node.
 * @param headers - header fields to set.
 */
export async function startPrefixProxy(isStripped: boolean, headers: Readonly<Record<string, string>> = {}) {
  let upstream = 0;
  const { port, close } = await listen((asked, reply) => {
    const { url = '/', method } = asked;
    if (url !== PREFIX && !url.startsWith(`${PREFIX}/`)) {
      reply.writeHead(404).end('Outside of the prefix.');
      return;
    }
    const path = isStripped ? url.slice(PREFIX.length) || '/' : url;
    const client = (asked.socket.address() as AddressInfo).address;
    const sent = { ...asked.headers, 'x-forwarded-for': client, ...headers };
    const forwarded = request({ host: '127.0.0.1', port: upstream, path, method, headers: sent });
    forwarded.on('response', (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(reply);
    });
    forwarded.on('error', (error) => reply.destroy(error));
    asked.pipe(forwarded);
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    /** Sends requests to this port from now on. */
    forwardTo: (to: number) => {
      upstream = to;
    },
    close,
  };
}
