import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CertifyOptions, FindingCode } from '@partner-hiring/certify';
import { isDocumented, OLD_SECRET, type Rules, SECRET } from './receiver.js';

/** A receiver with one fault and its finding. */
export interface Planted {
  readonly fault: string;
  readonly change: Partial<Rules>;
  readonly options?: Partial<CertifyOptions>;
  readonly finding: FindingCode;
}

/** One receiver for each finding. */
export const PLANTED: readonly Planted[] = [
  { fault: 'takes anything', change: { verifies: false }, finding: 'does_not_verify' },
  {
    fault: 'answers before it verifies',
    change: { refusal: 200 },
    finding: 'does_not_verify',
  },
  {
    fault: 'looks at the time and the form of the signature alone',
    change: { equals: () => true },
    finding: 'does_not_verify',
  },
  {
    fault: 'verifies the body parsed and written again',
    change: { signedBody: (raw) => JSON.stringify(JSON.parse(raw)) },
    finding: 'verifies_other_bytes',
  },
  {
    fault: 'reads the body as Latin-1',
    change: { signedBody: (raw) => Buffer.from(raw).toString('latin1') },
    finding: 'verifies_other_bytes',
  },
  {
    fault: 'has no tolerance for the past',
    change: { behind: Number.POSITIVE_INFINITY },
    finding: 'accepts_stale',
  },
  {
    fault: 'has no limit for the future',
    change: { ahead: Number.POSITIVE_INFINITY },
    finding: 'accepts_future',
  },
  { fault: 'allows a minute only', change: { behind: 60 }, finding: 'refuses_within_tolerance' },
  { fault: 'allows nothing ahead', change: { ahead: 1 }, finding: 'refuses_within_tolerance' },
  {
    fault: 'takes the age from the unsigned header',
    change: { agedBy: (_t, header) => header, comparesHeaders: false },
    finding: 'trusts_timestamp_header',
  },
  {
    fault: 'verifies the plain header and takes the age from t',
    change: { signedAt: (_t, header) => header, comparesHeaders: false },
    finding: 'accepts_tampered_timestamp',
  },
  {
    fault: 'verifies only where there is a signature',
    change: { before: takeUnless((signature) => signature !== undefined) },
    finding: 'accepts_unsigned',
  },
  {
    fault: 'verifies only readable headers',
    change: { before: takeUnless((signature) => signature?.includes('v1=') ?? true) },
    finding: 'accepts_malformed_header',
  },
  {
    fault: 'is confused by a large body that it refused',
    change: { before: confusedByLargeRefusals() },
    finding: 'fails_after_refusal',
  },
  {
    fault: 'knows only the new secret during the overlap',
    change: {},
    options: { secret: [SECRET, OLD_SECRET] },
    finding: 'ignores_a_secret',
  },
  {
    fault: 'still knows the old secret after the overlap',
    change: { secrets: [SECRET, OLD_SECRET] },
    options: { oldSecret: OLD_SECRET },
    finding: 'accepts_old_secret',
  },
  {
    fault: 'compares only the first v1',
    change: { compared: (v1s) => v1s.slice(0, 1) },
    finding: 'compares_one_v1',
  },
  {
    fault: 'compares only the last v1',
    change: { compared: (v1s) => v1s.slice(-1) },
    finding: 'compares_one_v1',
  },
  {
    fault: 'compares as much as it is given',
    change: { equals: (expected, given) => expected.startsWith(given) },
    finding: 'accepts_tampered_signature',
  },
  {
    fault: 'compares the first half',
    change: { equals: (expected, given) => expected.slice(0, 32) === given.slice(0, 32) },
    finding: 'accepts_tampered_signature',
  },
  {
    fault: 'fails on an unknown type',
    change: { statusFor: (event) => (isDocumented.type(event) ? 204 : 422) },
    finding: 'refuses_unknown_type',
  },
  {
    fault: 'fails on an unknown field',
    change: { statusFor: (event) => (isDocumented.fields(event) ? 204 : 422) },
    finding: 'refuses_unknown_field',
  },
  {
    fault: 'fails on an unknown reason',
    change: { statusFor: (event) => (isDocumented.reason(event) ? 204 : 500) },
    finding: 'refuses_unknown_value',
  },
  {
    fault: 'fails on an application without an id of its own',
    change: { statusFor: ({ data }) => (data.sourceApplicationId === null ? 500 : 204) },
    finding: 'refuses_null',
  },
  {
    fault: 'has a short column for titles',
    change: { statusFor: ({ data }) => (String(data.title).length > 255 ? 500 : 204) },
    finding: 'refuses_long_text',
  },
  {
    fault: 'refuses repetitions',
    change: { statusFor: (_event, isRepeated) => (isRepeated ? 409 : 204) },
    finding: 'refuses_repeated',
  },
  {
    fault: 'takes decisions alone',
    change: { statusFor: ({ type }) => (type.startsWith('job.') ? 404 : 204) },
    finding: 'refuses_event_type',
  },
  {
    fault: 'answers 410 to a type that it has no use for',
    change: { statusFor: ({ type }) => (type === 'job.closed' ? 410 : 204) },
    finding: 'answers_gone',
  },
  { fault: 'limits all requests', change: { before: throttledAfter(0) }, finding: 'throttles' },
  {
    fault: 'limits them after some good deliveries',
    change: { before: throttledAfter(5) },
    finding: 'throttles',
  },
  {
    fault: 'limits them in the midst of forgeries',
    change: { before: throttledAfter(14) },
    finding: 'throttles',
  },
  { fault: 'works on one delivery at a time', change: { work: oneAtATime() }, finding: 'fails_at_once' },
  {
    fault: 'takes the first chunk for the body',
    change: { readBody: async (request) => String((await once(request, 'data'))[0]) },
    finding: 'fails_on_slow_body',
  },
  {
    fault: 'never answers',
    change: { before: () => true },
    options: { timeoutMs: 200 },
    finding: 'answers_too_late',
  },
  {
    fault: 'redirects',
    change: {
      before: (_request, response) => {
        response.writeHead(308, { location: 'https://ats.example.com/' }).end();
        return true;
      },
    },
    finding: 'redirects',
  },
  { fault: 'has another secret', change: { secrets: [OLD_SECRET] }, finding: 'refuses_everything' },
  {
    fault: 'is behind a login',
    change: {
      before: (request, response) => {
        request.resume().on('end', () => response.writeHead(401).end());
        return true;
      },
    },
    finding: 'refuses_everything',
  },
  {
    fault: 'drops whsec_',
    change: { keyOf: (secret) => secret.replace('whsec_', '') },
    finding: 'strips_secret_prefix',
  },
  {
    fault: 'decodes the secret',
    change: { keyOf: (secret) => Buffer.from(secret.replace('whsec_', ''), 'base64') },
    finding: 'decodes_secret',
  },
  {
    fault: 'keeps the line break of a file',
    change: { keyOf: (secret) => `${secret}\n` },
    finding: 'pads_secret',
  },
];

/** Accepts unusual requests at once. */
function takeUnless(isVerified: (signature: string | undefined) => boolean): Rules['before'] {
  return (request, response) => {
    const signature = request.headers['x-partner-signature'];
    if (isVerified(signature === undefined ? undefined : String(signature))) return false;
    request.resume().on('end', () => response.writeHead(204).end());
    return true;
  };
}

/** Leaves the rest of the body on the connection. */
function confusedByLargeRefusals(): Rules['before'] {
  let isConfused = false;
  return (request, response) => {
    response.on('finish', () => {
      isConfused = response.statusCode === 400 && Number(request.headers['content-length']) > 16_384;
    });
    if (!isConfused) return false;
    request.resume().on('end', () => response.writeHead(400).end());
    return true;
  };
}

/** Like a lock without a queue. */
function oneAtATime(): Rules['work'] {
  let isBusy = false;
  return async () => {
    if (isBusy) throw new Error('Busy.');
    isBusy = true;
    await sleep(50);
    isBusy = false;
  };
}

/** A rate limit in front of the route. */
export function throttledAfter(requests: number): Rules['before'] {
  let left = requests;
  return (request, response) => {
    left -= 1;
    if (left >= 0) return false;
    request.resume().on('end', () => response.writeHead(429, { 'Retry-After': '60' }).end());
    return true;
  };
}
