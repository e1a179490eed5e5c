import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** The secret of the test receivers. */
export const SECRET = 'whsec_Rm9yIHRoZSByZWNlaXZlcnMgb2YgdGhlIHRlc3Rz';
/** The previous secret. */
export const OLD_SECRET = 'whsec_VGhlIG9uZSBiZWZvcmUgdGhlIHJvdGF0aW9uIQ';

const TOLERANCE_SECONDS = 300;
const TYPES = ['application.status_changed', 'job.opened', 'job.closed'];
const REASONS = ['closed_by_customer', 'access_revoked', 'internal_sourcing_only'];
const FIELDS = ['apiVersion', 'createdAt', 'data', 'id', 'type'];

/** The rules of a receiver. A fault changes one of them. */
export interface Rules {
  readonly secrets: readonly string[];
  /** Converts a secret to the HMAC key. */
  readonly keyOf: (secret: string) => string | Buffer;
  /** Whether it checks signatures. */
  readonly verifies: boolean;
  /** The body that it verifies. */
  readonly signedBody: (raw: string) => string;
  /** The time for the HMAC, and the time for the age. */
  readonly signedAt: (t: string, header: string) => string;
  readonly agedBy: (t: string, header: string) => string;
  /** The tolerance of `t` in both directions, in seconds. */
  readonly behind: number;
  readonly ahead: number;
  /** The `v1` values that it compares. */
  readonly compared: (v1s: readonly string[]) => readonly string[];
  readonly equals: (expected: string, given: string) => boolean;
  /** Whether X-Partner-Timestamp must equal `t`. */
  readonly comparesHeaders: boolean;
  /** The response to a good event. */
  readonly statusFor: (event: ReceivedEvent, isRepeated: boolean) => number;
  /** The response to a bad delivery. */
  readonly refusal: number;
  /** Runs first; returns true if it has handled the request. */
  readonly before: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly readBody: (request: IncomingMessage) => Promise<string>;
  /** Runs before the response; a rejection becomes a 503. */
  readonly work: () => Promise<void>;
}

/** A parsed event. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A correct receiver without a library. */
export const RIGHT: Rules = {
  secrets: [SECRET],
  keyOf: (secret) => secret,
  verifies: true,
  signedBody: (raw) => raw,
  signedAt: (t) => t,
  agedBy: (t) => t,
  behind: TOLERANCE_SECONDS,
  ahead: TOLERANCE_SECONDS,
  compared: (v1s) => v1s,
  equals: (expected, given) => expected === given,
  comparesHeaders: true,
  statusFor: () => 204,
  refusal: 400,
  before: () => false,
  readBody: (request) => text(request),
  work: async () => {},
};

/** Checks of strict receivers. */
export const isDocumented = {
  type: ({ type }: ReceivedEvent) => TYPES.includes(type),
  fields: (event: ReceivedEvent) =>
    Object.keys(event).every((field) => FIELDS.includes(field)) && !('certifyUnknownField' in event.data),
  reason: ({ type, data }: ReceivedEvent) => type !== 'job.closed' || REASONS.includes(String(data.reason)),
};

/** Starts a receiver on loopback for the test, and returns its URL. */
export async function startReceiver(rules: Rules): Promise<string> {
  const seen = new Set<string>();
  const server = createServer(async (request, response) => {
    if (rules.before(request, response)) return;
    const raw = await rules.readBody(request);
    const isDone = await rules.work().then(
      () => true,
      () => false,
    );
    if (!isDone) return void response.writeHead(503).end();
    if (rules.verifies && !isAuthentic(rules, request, raw))
      return void response.writeHead(rules.refusal).end('no');
    const event = JSON.parse(raw) as ReceivedEvent;
    const status = rules.statusFor(event, seen.has(event.id));
    seen.add(event.id);
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
}

function isAuthentic(rules: Rules, { headers }: IncomingMessage, raw: string): boolean {
  const entries = String(headers['x-partner-signature'] ?? '').split(',');
  const valuesOf = (name: string) =>
    entries.filter((entry) => entry.startsWith(`${name}=`)).map((entry) => entry.slice(name.length + 1));
  const [t] = valuesOf('t');
  const header = String(headers['x-partner-timestamp']);
  if (t === undefined || (rules.comparesHeaders && t !== header)) return false;
  const age = Date.now() / 1000 - Number(rules.agedBy(t, header));
  if (age > rules.behind || -age > rules.ahead) return false;
  return rules.secrets.some((secret) => {
    const body = rules.signedBody(raw);
    const expected = createHmac('sha256', rules.keyOf(secret))
      .update(`${rules.signedAt(t, header)}.${body}`)
      .digest('hex');
    return rules.compared(valuesOf('v1')).some((given) => rules.equals(expected, given));
  });
}
