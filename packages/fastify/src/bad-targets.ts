import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { withoutOrigin } from '@partner-hiring/node-http';

/**
 * Makes broken percent-encoding under a path reach the plugin: Fastify's router answers it on its own before any
 * hook runs. The percent signs are escaped, so that they stand for themselves; other paths stay untouched.
 * Requests that Fastify's `inject` makes do not come over the server and are not covered, nor is what the application's
 * `rewriteUrl` moves under the path, which it does afterwards.
 */
export function repairTargets(server: Pick<EventEmitter, 'prependListener'>, under: string): void {
  server.prependListener('request', (request: IncomingMessage) => {
    const { url } = request;
    if (url?.includes('%') !== true) return;
    const target = withoutOrigin(url);
    const next = target.charAt(under.length);
    if (target.startsWith(under) && (next === '/' || next === '')) request.url = repairTarget(target);
  });
}

function repairTarget(target: string): string {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
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
