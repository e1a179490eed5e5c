import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { resolveTarget } from '@partner-hiring/core';
import { liesUnder, withoutOrigin } from '@partner-hiring/node-http';

/** Matches targets that Fastify's router may not understand. */
const ODD = /^[^/]|^[^?]*(?:[%\\]|\/\.)/;

/**
 * Rewrites request targets under a path so that they reach the plugin. Fastify's router does not resolve dot
 * segments or absolute URLs, so this function does. The router also rejects invalid percent-encoding before
 * any hook runs, so the percent signs of such a path are escaped. Requests from `inject`, and targets that
 * `rewriteUrl` moves under the path, are not rewritten.
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
