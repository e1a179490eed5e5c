import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { type PartnerEvent, signWebhook } from '@partner-hiring/webhook-verifier';
import type { ReceiverRefusal, WebhookReceiverOptions } from '@partner-hiring/webhook-verifier/fetch';

export const SECRET = 'whsec_of_the_receiver';

/** Has multi-byte characters, and keys that a parser would reorder. */
export const EVENT = {
  type: 'job.opened',
  id: 'evt_1',
  createdAt: '2025-06-15T15:06:40.000Z',
  apiVersion: 'v1',
  data: {
    title: 'Köchin 料理人 👩‍🍳',
    jobId: 'job_1',
    companyId: 'co_1',
    openedAt: '2025-06-15T15:06:40.000Z',
  },
};
export const BODY = `${JSON.stringify(EVENT, null, 3)}\r\n`;

/** Receiver options that record their calls. */
export function recording(changes: Partial<WebhookReceiverOptions> = {}) {
  const events: PartnerEvent[] = [];
  const refusals: ReceiverRefusal[] = [];
  const options: WebhookReceiverOptions = {
    secret: SECRET,
    onEvent: (event) => events.push(event),
    onRefused: (refusal) => refusals.push(refusal),
    ...changes,
  };
  return { options, events, refusals, reasons: () => refusals.map(({ reason }) => reason) };
}

/** The headers of a delivery. */
export async function headersOf(body: string | Uint8Array = BODY, timestamp?: number) {
  const signed = await signWebhook({ body, secret: SECRET, ...(timestamp !== undefined && { timestamp }) });
  return { 'Content-Type': 'application/json', ...signed };
}

interface Sent {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** A string is sent with its length, pieces are sent chunked. */
  readonly body?: string | Uint8Array | readonly Uint8Array[];
}

/** Posts a delivery, by default a valid one. */
export async function send(port: number, { headers, body = BODY }: Sent = {}) {
  const outgoing = post(port, headers ?? (await headersOf()));
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  if (typeof body === 'string' || body instanceof Uint8Array) outgoing.end(body);
  else {
    for (const piece of body) {
      outgoing.write(piece);
      await setImmediate();
    }
    outgoing.end();
  }
  const [response] = await answered;
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** Starts a request on a new connection. */
export function post(port: number, headers: Sent['headers'] = {}) {
  const options = { host: '127.0.0.1', port, path: '/webhooks', method: 'POST', agent: false } as const;
  return request({ ...options, headers: headers as Record<string, string | string[]> });
}
