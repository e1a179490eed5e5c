import {
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
} from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { SIGNATURE_HEADER, signWebhook, TIMESTAMP_HEADER } from '@partner-hiring/webhook-verifier';
import { ListenError } from './listen-error.js';

/** How one attempt ended: with a status and the start of a refusal, or with a reason why no answer came. */
export type PostEnd =
  | { readonly kind: 'answered'; readonly status: number; readonly excerpt?: string | undefined }
  | { readonly kind: 'failed'; readonly why: string };

/** Posts a body once. Rejects with a ListenError if the URL leads to another machine, and if the signal aborts. */
export type PostWebhook = (body: string, signal: AbortSignal) => Promise<PostEnd>;

export interface PostWebhookOptions {
  readonly url: URL;
  readonly secrets: readonly string[];
  /** Default: the lookup of the operating system. */
  readonly lookup?: LookupFunction | undefined;
}

const USER_AGENT = 'Partner-Hiring-Webhooks/1.0';
/** Contract: 12.3. */
const TIMEOUT_MS = 30_000;
/** A receiver that sends a body for longer loses its connection. */
const BODY_WITHIN_MS = 1_000;
const MAX_BODY_BYTES = 4_096;
const MAX_EXCERPT = 200;

/**
 * Creates a function that signs and posts as the service does, with the same headers in the same order. It does not
 * follow redirects, and does not use a proxy of the environment.
 */
export function createPostWebhook({ url, secrets, lookup }: PostWebhookOptions): PostWebhook {
  const isSecure = url.protocol === 'https:';
  const request = isSecure ? secureRequest : plainRequest;
  // Newer versions of Node give the global agents a proxy.
  const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new PlainAgent({ keepAlive: true });
  const connection = lookup === undefined ? { agent } : { agent, lookup };

  return async (body, signal) => {
    const signed = await signWebhook({ body, secret: secrets });
    const headers = {
      host: url.host,
      connection: 'keep-alive',
      'accept-encoding': 'identity',
      Accept: '*/*',
      'Content-Type': 'application/json',
      'User-Agent': USER_AGENT,
      [SIGNATURE_HEADER]: signed[SIGNATURE_HEADER],
      [TIMESTAMP_HEADER]: signed[TIMESTAMP_HEADER],
      'content-length': String(Buffer.byteLength(body)),
    };
    const end = await exchange(
      request(url, { ...connection, method: 'POST', headers, signal }),
      body,
      signal,
    );
    if (end.kind === 'failed' || end.excerpt === undefined) return end;
    return { ...end, excerpt: cleanExcerpt(end.excerpt, secrets) };
  };
}

export function isAccepted(status: number): boolean {
  return status >= 200 && status < 300;
}

/** One line without the secrets. The command removes characters that manipulate a terminal from all that it prints. */
function cleanExcerpt(text: string, secrets: readonly string[]): string {
  const hidden = secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
  return hidden
    .replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .trim()
    .slice(0, MAX_EXCERPT);
}

function exchange(request: ClientRequest, body: string, signal: AbortSignal): Promise<PostEnd> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => request.destroy(new Error('no response in 30 s')), TIMEOUT_MS);
    request.on('close', () => clearTimeout(deadline));
    request.on('error', (error) => {
      if (signal.aborted) reject(signal.reason);
      else if (error instanceof ListenError) reject(error);
      else resolve({ kind: 'failed', why: 'code' in error ? String(error.code) : error.message });
    });
    request.on('response', (response) => {
      clearTimeout(deadline);
      const cut = setTimeout(() => response.destroy(), BODY_WITHIN_MS);
      response.on('close', () => clearTimeout(cut));
      const status = response.statusCode ?? 0;
      if (!isAccepted(status))
        return readStart(response, (excerpt) => resolve({ kind: 'answered', status, excerpt }));
      response.resume();
      resolve({ kind: 'answered', status });
    });
    request.end(body);
  });
}

/** Calls back once the body has ended, was cut off, or is longer than an excerpt needs. Discards the rest. */
function readStart(response: IncomingMessage, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = () => done(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString());
  response.on('close', finish).on('data', (chunk: Buffer) => {
    if (length >= MAX_BODY_BYTES) return;
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_BODY_BYTES) finish();
  });
}
