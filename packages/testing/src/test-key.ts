import { randomUUID } from 'node:crypto';
import type { EventType, FetchHandler, KeyId, PartnerId } from '@partner-hiring/core';
import type { RecordedEvent, RecordedTransport, WaitOptions } from './recorded-transport.js';

/** A reply of the API. */
export interface TestReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON. Empty if the reply has no body. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** The headers and the body of a request. */
export interface TestRequestParts {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
}

/** A partner's program: it calls the API with its key, and receives webhooks. */
export interface TestKey {
  readonly keyId: KeyId;
  readonly partnerId: PartnerId;
  /** The API key that the partner sends. */
  readonly secret: string;
  /** Null without a webhook endpoint. */
  readonly endpointUrl: string | null;
  /** Verifies the webhooks of the key. Null without a webhook endpoint. */
  readonly signingSecret: string | null;
  /** Calls the API. `path` starts after the base path, for example `/jobs?limit=10`. */
  request(method: string, path: string, parts?: TestRequestParts): Promise<TestReply>;
  get(path: string): Promise<TestReply>;
  /** Posts to `/applications` with a new idempotency key, or the given one. A string is sent as it is. */
  submit(submission: object | string, idempotencyKey?: string): Promise<TestReply>;
  /**
   * Waits like `waitFor` of the instance, for an event that was sent to the URL of this key.
   * @throws Error if no such event is sent in time.
   */
  waitFor<Type extends EventType>(type: Type, options?: WaitOptions<Type>): Promise<RecordedEvent<Type>>;
}

/** The parts of its instance that a key needs. */
export interface TestKeyContext {
  readonly fetch: FetchHandler;
  readonly basePath: string;
  readonly waitFor: RecordedTransport['waitFor'];
}

type KeyFacts = Pick<TestKey, 'keyId' | 'partnerId' | 'secret' | 'endpointUrl' | 'signingSecret'>;

/** Sends a request to the API without a network. */
export async function sendTestRequest(
  { fetch, basePath }: Pick<TestKeyContext, 'fetch' | 'basePath'>,
  method: string,
  path: string,
  { headers = {}, body }: TestRequestParts = {},
): Promise<TestReply> {
  const response = await fetch(
    new Request(`http://api.test${basePath}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    }),
  );
  const text = await response.text();
  const json = text === '' ? {} : (JSON.parse(text) as TestReply['json']);
  return { status: response.status, headers: response.headers, text, json };
}

export function createTestKey(context: TestKeyContext, facts: KeyFacts): TestKey {
  const request: TestKey['request'] = (method, path, parts = {}) =>
    sendTestRequest(context, method, path, {
      ...parts,
      headers: { authorization: `Bearer ${facts.secret}`, ...parts.headers },
    });
  return {
    ...facts,
    request,
    get: (path) => request('GET', path),
    submit: (submission, idempotencyKey = randomUUID()) =>
      request('POST', '/applications', {
        body: typeof submission === 'string' ? submission : JSON.stringify(submission),
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      }),
    waitFor: (type, options = {}) =>
      context.waitFor(type, {
        ...options,
        ...(facts.endpointUrl === null ? {} : { url: facts.endpointUrl }),
      }),
  };
}
