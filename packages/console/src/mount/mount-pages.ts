import type { Logger } from '@partner-hiring/core';
import type { AnswerRequest } from '../http/pages-app.js';
import { createFastifyPlugin } from './fastify-plugin.js';
import { createNodeHandler } from './node-handler.js';
import { isUnder } from './to-web-request.js';

/** Mounts pages in each kind of server. */
export function mountPages(
  answer: AnswerRequest,
  {
    path,
    logger,
    kind,
  }: {
    readonly path: string;
    readonly logger: Pick<Logger, 'error'>;
    readonly kind: 'console' | 'portal';
  },
) {
  async function fetchPage(request: Request, host?: unknown): Promise<Response> {
    if (!isUnder(new URL(request.url).pathname, path)) return plain(404, 'Not found');
    try {
      return await answer(request, host);
    } catch (error) {
      logger.error({ err: error }, `The ${kind} could not show a page.`);
      return plain(500, 'Something went wrong');
    }
  }
  return {
    fetch: fetchPage,
    node: createNodeHandler(fetchPage, path),
    fastify: createFastifyPlugin(fetchPage, path, kind),
  };
}

function plain(status: number, text: string): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(text, { status, headers });
}
