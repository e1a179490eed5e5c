import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** The secret of the receivers here. */
export const SECRET = 'whsec_Rm9yIHRoZSByZWNlaXZlcnMgb2YgdGhlIHRlc3Rz';
/** The one before it. */
export const OLD_SECRET = 'whsec_VGhlIG9uZSBiZWZvcmUgdGhlIHJvdGF0aW9uIQ';

const TOLERANCE_SECONDS = 300;
const TYPES = ['application.status_changed', 'job.opened', 'job.closed'];
const REASONS = ['closed_by_customer', 'access_revoked', 'internal_sourcing_only'];
const FIELDS = ['apiVersion', 'createdAt', 'data', 'id', 'type'];

/** What a receiver does, one decision each. A fault is one of them done differently. */
export interface Rules {
  /** The secrets that it verifies with. */
  readonly secrets: readonly string[];
  /** The HMAC key that it makes of a secret. */
  readonly keyOf: (secret: string) => string | Buffer;
  /** Whether it needs the signature at all. */
  readonly verifies: boolean;
  /** The text that it takes for the body. */
  readonly signedBody: (raw: string) => string;
  /** The time that goes into the HMAC, and the one that the age is taken from. */
  readonly signedAt: (t: string, header: string) => string;
  readonly agedBy: (t: string, header: string) => string;
  /** How far behind and ahead `t` may be, in seconds. */
  readonly behind: number;
  readonly ahead: number;
  /** The `v1` that it looks at. */
  readonly compared: (v1s: readonly string[]) => readonly string[];
  readonly equals: (expected: string, given: string) => boolean;
  /** Whether the plain header must be the signed `t`. */
  readonly comparesHeaders: boolean;
  /** What it answers to a good event. */
  readonly statusFor: (event: ReceivedEvent, isRepeated: boolean) => number;
  /** What it answers to a bad delivery. */
  readonly refusal: number;
  /** Sees each request first; true if it has dealt with it. */
  readonly before: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** How it reads a body. */
  readonly readBody: (request: IncomingMessage) => Promise<string>;
  /** What it does before it answers; a rejection is a 503. */
  readonly work: () => Promise<void>;
}

/** An event as it came. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A receiver by the specification's steps, without any library. */
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

/** Questions that strict receivers ask of events. */
export const isDocumented = {
  type: ({ type }: ReceivedEvent) => TYPES.includes(type),
  fields: (event: ReceivedEvent) =>
    Object.keys(event).every((field) => FIELDS.includes(field)) && !('certifyUnknownField' in event.data),
  reason: ({ type, data }: ReceivedEvent) => type !== 'job.closed' || REASONS.includes(String(data.reason)),
};

/** Starts a receiver on loopback that ends with the test, and answers its URL. */
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
