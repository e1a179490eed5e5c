import type { IncomingMessage, ServerResponse } from 'node:http';
import { readRequest, sendReply } from '@partner-hiring/node-http';
import { MAX_FORM_BYTES } from '../http/read-form.js';
import { isUnder, pathOfTarget } from './is-under.js';
import { formText, toWebRequest } from './to-web-request.js';

/** A request of Node's server, or of a framework that extends it. */
export interface ConsoleNodeRequest extends IncomingMessage {
  /** The target before a router removed its prefix. Express and Nest set it. */
  readonly originalUrl?: string;
  /** What a body parser made of the body. */
  readonly body?: unknown;
}

/**
 * Handles a request of Node's server, Express or Nest. Passes requests outside of the console's path to `next`, or answers
 * 404 without one.
 */
export type ConsoleNodeHandler = (
  request: ConsoleNodeRequest,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

type Answer = (request: Request, host: unknown) => Promise<Response>;

const BODY = { maxBytes: MAX_FORM_BYTES, timeoutMs: 10_000 } as const;
const DISCARD = { maxBytes: 4 * 1024 * 1024, maxMs: 5_000 } as const;
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

/** Mounts the console in servers of Node's kind. */
export function createNodeHandler(answer: Answer, path: string): ConsoleNodeHandler {
  return (request, response, next) => {
    const target = request.originalUrl ?? request.url ?? '/';
    if (!isUnder(pathOfTarget(target), path)) {
      if (next === undefined) reply(request, response, 404, 'Not found');
      else next();
      return;
    }
    serve(answer, request, response, target).catch((error: unknown) => {
      // Only broken connections come here: `answer` never rejects.
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  };
}

async function serve(
  answer: Answer,
  request: ConsoleNodeRequest,
  response: ServerResponse,
  target: string,
): Promise<void> {
  const { method = 'GET', rawHeaders, headers } = request;
  if (!METHODS.has(method))
    return reply(request, response, 405, 'Method not allowed', { Allow: 'GET, HEAD, POST' });
  const body = method === 'POST' ? await readBodyOf(request, target) : null;
  if (typeof body === 'number') return reply(request, response, body, REFUSALS[body]);
  const isEncrypted = 'encrypted' in request.socket && request.socket.encrypted === true;
  const web = toWebRequest({ method, target, rawHeaders, headers, isEncrypted, body });
  if (web === null) return reply(request, response, 400, 'Bad request');
  const answered = await answer(web, request);
  for (const cookie of answered.headers.getSetCookie()) response.appendHeader('Set-Cookie', cookie);
  const others = [...answered.headers].filter(([name]) => name !== 'set-cookie');
  const text = method === 'HEAD' ? '' : await answered.text();
  sendReply(request, response, {
    status: answered.status,
    headers: { ...Object.fromEntries(others), 'content-length': String(Buffer.byteLength(text)) },
    body: text,
    discard: DISCARD,
  });
}

const REFUSALS = {
  400: 'The form could not be read. Another program has read it before the console.',
  408: 'The form took too long.',
  413: 'The form is too large.',
} as const;

/** Reads the form, or takes what a body parser of the host made of it. */
async function readBodyOf(
  request: ConsoleNodeRequest,
  target: string,
): Promise<string | Uint8Array | 400 | 408 | 413> {
  const isRead = request.readableDidRead || request.readableEnded;
  if (isRead || isParsed(request.body)) return formText(request.body) ?? 400;
  const bytes = await readRequest(request, target, '').readBody(BODY);
  if (bytes === 'too_large') return 413;
  if (bytes === 'timed_out') return 408;
  return bytes === 'broken_off' ? 400 : bytes;
}

/** Express 4 sets an empty object before its parsers run. */
function isParsed(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.keys(body).length > 0;
}

function reply(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const type = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  const length = { 'content-length': String(Buffer.byteLength(text)) };
  sendReply(request, response, {
    status,
    headers: { ...type, ...length, ...headers },
    body: text,
    discard: DISCARD,
  });
}
