import { isUtf8 } from 'node:buffer';
import { createHmac } from 'node:crypto';
import type { WebhookRefusalReason } from '@partner-hiring/webhook-verifier';
import type { Vector, VectorBody } from './format.js';

/** When everything is signed, in Unix seconds. */
export const T = 1_750_000_000;
export const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS1lbmRwb2ludC1mb3ItdGVzdHM';
export const OTHER_SECRET = 'whsec_YW5vdGhlci1zZWNyZXQtdGhhdC1yZXBsYWNlcy1pdC4u';

/** What differs from a delivery that is signed at T with the secret, and verified at T. */
export interface Draft {
  readonly expected: 'verified' | WebhookRefusalReason;
  readonly body?: string | Uint8Array | { readonly parsed: unknown } | null;
  /** What was signed, where it is not the body. */
  readonly signedBody?: string | Uint8Array;
  readonly signedWith?: readonly string[];
  /** `t` as it is signed and written. */
  readonly t?: string;
  readonly secrets?: readonly string[];
  /** The values of `X-Partner-Signature`, one for each time that it is sent. */
  readonly signature?: (t: string, digests: readonly [string, ...string[]]) => readonly string[];
  /** The same of `X-Partner-Timestamp`. */
  readonly timestamp?: (t: string) => readonly string[];
  readonly headerNames?: readonly [signature: string, timestamp: string];
  readonly now?: number;
  readonly toleranceSeconds?: number;
}

/** Vectors by their names. */
export type Drafts = Readonly<Record<string, Draft>>;

/** `t` and its digests in the usual form. */
export function usual(t: string, digests: readonly string[]): string {
  return [`t=${t}`, ...digests.map((digest) => `v1=${digest}`)].join();
}

/** The digest of a body, made without the verifier. */
export function digestOf(secret: string, t: string, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
}

/** A vector as it stands in the file. */
export function finish(name: string, draft: Draft): Vector {
  const { expected, secrets = [SECRET], t = String(T), now = T, toleranceSeconds = 300 } = draft;
  const { signature = (...of) => [usual(...of)], timestamp = () => [t], signedWith = [SECRET] } = draft;
  const { body = EVENT_TEXT, headerNames = ['X-Partner-Signature', 'X-Partner-Timestamp'] } = draft;
  const signedBody = draft.signedBody ?? (isRaw(body) ? body : EVENT_TEXT);
  const [first = '', ...rest] = signedWith.map((secret) => digestOf(secret, t, signedBody));
  const [signatureName, timestampName] = headerNames;
  return {
    name,
    secrets,
    headers: [
      ...signature(t, [first, ...rest]).map((value) => [signatureName, value] as const),
      ...timestamp(t).map((value) => [timestampName, value] as const),
    ],
    body: bodyOf(body),
    now,
    toleranceSeconds,
    expected:
      expected === 'verified'
        ? { ok: true, event: JSON.parse(Buffer.from(isRaw(body) ? body : '').toString()) }
        : { ok: false, reason: expected },
  };
}

function isRaw(body: Draft['body']): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

/** Text where it survives every editor, else base64. */
function bodyOf(body: Exclude<Draft['body'], undefined>): VectorBody {
  if (!isRaw(body)) return body;
  const bytes = Buffer.from(body);
  const isPlain = isUtf8(bytes) && !bytes.toString().startsWith('\uFEFF');
  return isPlain ? { text: bytes.toString() } : { base64: bytes.toString('base64') };
}

const AT = '2025-06-15T15:06:40.000Z';

/** The events of the specification. */
export const EVENTS = {
  statusChanged: {
    apiVersion: 'v1',
    createdAt: AT,
    data: {
      applicationId: 'ej_app_1',
      currentStage: 'Hired',
      jobId: 'job_1',
      newStatus: 'accepted',
      occurredAt: AT,
      oldStatus: 'in_progress',
      sourceApplicationId: 'ats-4711',
    },
    id: 'evt_1',
    type: 'application.status_changed',
  },
  jobOpened: {
    apiVersion: 'v1',
    createdAt: AT,
    data: { companyId: 'co_1', jobId: 'job_1', openedAt: AT, title: 'Picker' },
    id: 'evt_2',
    type: 'job.opened',
  },
  jobClosed: {
    apiVersion: 'v1',
    createdAt: AT,
    data: { closedAt: AT, companyId: 'co_1', jobId: 'job_1', reason: 'access_revoked' },
    id: 'evt_3',
    type: 'job.closed',
  },
} as const;

/** The body where a vector is not about it. */
export const EVENT_TEXT = JSON.stringify(EVENTS.statusChanged);
