import { type ClientRequest, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { SIGNATURE_HEADER, signWebhook, TIMESTAMP_HEADER } from '@partner-hiring/webhook-verifier';
import { ListenError } from './listen-error.js';

/** How one attempt ended: with a status, or with a reason why no answer came. */
export type PostEnd =
  | { readonly kind: 'answered'; readonly status: number }
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
/** Only the status counts. A receiver that sends a body for longer loses its connection. */
const DISCARD_WITHIN_MS = 1_000;

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
    return exchange(request(url, { ...connection, method: 'POST', headers, signal }), body, signal);
  };
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
      const cut = setTimeout(() => response.destroy(), DISCARD_WITHIN_MS);
      response.on('close', () => clearTimeout(cut)).resume();
      resolve({ kind: 'answered', status: response.statusCode ?? 0 });
    });
    request.end(body);
  });
}
