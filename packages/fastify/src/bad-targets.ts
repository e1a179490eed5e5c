import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { resolveTarget } from '@partner-hiring/core';
import { liesUnder, withoutOrigin } from '@partner-hiring/node-http';

/** A target that may have to be changed; most have none of this. */
const ODD = /^[^/]|^[^?]*(?:[%\\]|\/\.)/;

/**
 * Makes every target that leads under a path reach the plugin: Fastify's router does not resolve dot segments, does not
 * read whole URLs as they may be, and answers broken percent-encoding on its own before any hook runs. Of broken
 * encoding the percent signs are escaped, so that they stand for themselves. Other targets stay untouched.
 * Requests that Fastify's `inject` makes do not come over the server and are not covered, nor is what the application's
 * `rewriteUrl` moves under the path, which it does afterwards.
 */
export function repairTargets(server: Pick<EventEmitter, 'prependListener'>, under: string): void {
  server.prependListener('request', (request: IncomingMessage) => {
    const { url } = request;
    if (url === undefined || !ODD.test(url)) return;
    const target = [withoutOrigin(url), resolveTarget(url)].find((one) => liesUnder(one, under));
    if (target !== undefined) request.url = repairTarget(target);
  });
}

function repairTarget(target: string): string {
  const [path = ''] = target.split(/[?#]/, 1);
  return isDecodable(path) ? target : path.replaceAll('%', '%25') + target.slice(path.length);
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
