import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { resolveTarget } from '@partner-hiring/core';
import { liesUnder, withoutOrigin } from '@partner-hiring/node-http';

/** Matches targets that may need a repair. */
const ODD = /^[^/]|^[^?]*(?:[%\\]|\/\.)/;

/**
 * Rewrites targets under a path so that they reach the plugin. Fastify's router does not resolve dot segments or
 * absolute URLs, and rejects invalid percent-encoding before any hook; its percent signs are escaped. Does not cover
 * `inject`, nor targets that `rewriteUrl` moves under the path.
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
