import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { isError } from '@partner-hiring/core/contract';
import { rawHeadersOf, sendReply } from '@partner-hiring/node-http';
import type { AnswerRequest } from '../http/pages-app.js';
import { lazyBody } from './lazy-body.js';
import { isUnder, pathOfTarget, toWebRequest } from './to-web-request.js';

/** A request of Node's server, or of a framework that extends it. */
export interface ConsoleNodeRequest extends IncomingMessage {
  /** The target before a router removed its prefix. Express and Nest set it. */
  readonly originalUrl?: string | undefined;
  /** What a body parser made of the body. */
  readonly body?: unknown;
}

/**
 * Handles a request of Node's server, Express, Nest, Koa or Hapi. Passes requests outside of the console's path to `next`,
 * or answers 404 without one. Resolves after the reply is written, or after `next`, whose error it passes on.
 */
export type ConsoleNodeHandler = (
  request: ConsoleNodeRequest,
  response: ServerResponse,
  next?: (error?: unknown) => unknown,
) => Promise<void>;

const DISCARD = { maxBytes: 4 * 1024 * 1024, maxMs: 5_000 } as const;

/** Mounts the console in servers of Node's kind. */
export function createNodeHandler(answer: AnswerRequest, path: string): ConsoleNodeHandler {
  return async (request, response, next) => {
    const target = request.originalUrl ?? request.url ?? '/';
    if (!isUnder(pathOfTarget(target), path)) {
      if (next === undefined) return reply(request, response, 404, 'Not found');
      // Koa answers when the promise of its first middleware resolves.
      return void (await next());
    }
    await serve(answer, request, response, target).catch((error: unknown) => {
      // Only broken connections come here: `answer` never rejects.
      response.destroy(isError(error) ? error : new Error(String(error)));
    });
  };
}

async function serve(
  answer: AnswerRequest,
  request: ConsoleNodeRequest,
  response: ServerResponse,
  target: string,
): Promise<void> {
  const { method = 'GET', headers } = request;
  const body = method === 'POST' ? lazyBody(request, target, request.body) : null;
  const isEncrypted = 'encrypted' in request.socket && request.socket.encrypted === true;
  const web = toWebRequest({
    method,
    target,
    rawHeaders: rawHeadersOf(request),
    headers,
    isEncrypted,
    body,
  });
  if (web === null) return reply(request, response, 404, 'Not found');
  const answered = await answer(web, request);
  for (const cookie of answered.headers.getSetCookie()) response.appendHeader('Set-Cookie', cookie);
  const others = [...answered.headers].filter(([name]) => name !== 'set-cookie');
  if (isFile(answered)) {
    response.writeHead(answered.status, Object.fromEntries(others));
    return pipeline(readableOf(answered), response);
  }
  const text = method === 'HEAD' ? '' : await answered.text();
  sendReply(request, response, {
    status: answered.status,
    headers: { ...Object.fromEntries(others), 'content-length': String(Buffer.byteLength(text)) },
    body: text,
    discard: DISCARD,
  });
}

function reply(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  const type = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  const length = { 'content-length': String(Buffer.byteLength(text)) };
  sendReply(request, response, {
    status,
    headers: { ...type, ...length },
    body: text,
    discard: DISCARD,
  });
}

/** Returns whether a response is a download. Its rows are read while the browser takes them. */
export function isFile({ headers }: Response): boolean {
  return headers.has('content-disposition');
}

export function readableOf({ body }: Response): Readable {
  return body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream);
}
