/** A reply of the API. */
export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

/** A submission as sent. A retry must have the same idempotency key and the same bytes. */
export interface SentSubmission {
  readonly idempotencyKey: string;
  readonly body: string;
}

/** A partner's HTTP client. */
export interface PartnerClient {
  get(path: string): Promise<ApiReply>;
  submit(submission: SentSubmission): Promise<ApiReply>;
}

const TIMEOUT_MS = 10_000;

/** Builds a client. */
export function createPartnerClient(baseUrl: string, apiKey: string): PartnerClient {
  const authorization = `Bearer ${apiKey}`;
  return {
    get: (path) => call(`${baseUrl}${path}`, { headers: { authorization } }),
    submit: ({ idempotencyKey, body }) =>
      call(`${baseUrl}/applications`, {
        method: 'POST',
        headers: {
          authorization,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body,
      }),
  };
}

/** Reads the rows of a list. */
export function rowsOf(reply: ApiReply): readonly Record<string, unknown>[] {
  return Array.isArray(reply.json.data) ? (reply.json.data as Record<string, unknown>[]) : [];
}

async function call(url: string, init: RequestInit): Promise<ApiReply> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await response.text();
  const json = JSON.parse(text) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, text, json };
}
