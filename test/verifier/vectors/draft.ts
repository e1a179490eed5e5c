import { isUtf8 } from 'node:buffer';
import { createHmac } from 'node:crypto';
import type { WebhookRefusalReason } from '@partner-hiring/webhook-verifier';
import type { Vector, VectorBody } from './format.js';

/** The time of all signatures, in Unix seconds. */
export const T = 1_750_000_000;
export const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS1lbmRwb2ludC1mb3ItdGVzdHM';
export const OTHER_SECRET = 'whsec_YW5vdGhlci1zZWNyZXQtdGhhdC1yZXBsYWNlcy1pdC4u';

/** Differences from a delivery that is signed with the secret and verified at T. */
export interface Draft {
  readonly expected: 'verified' | WebhookRefusalReason;
  readonly body?: string | Uint8Array | { readonly parsed: unknown } | null;
  /** The signed text, if it differs from the body. */
  readonly signedBody?: string | Uint8Array;
  readonly signedWith?: readonly string[];
  /** `t` as text. */
  readonly t?: string;
  readonly secrets?: readonly string[];
  /** The values of `X-Partner-Signature`, one per header. */
  readonly signature?: (t: string, digests: readonly [string, ...string[]]) => readonly string[];
  /** The values of `X-Partner-Timestamp`. */
  readonly timestamp?: (t: string) => readonly string[];
  readonly headerNames?: readonly [signature: string, timestamp: string];
  readonly now?: number;
  readonly toleranceSeconds?: number;
  /** Default: whether the page decides the outcome, see {@link FOLLOW_FROM_THE_PAGE}. */
  readonly required?: boolean;
}

/**
 * The outcomes that follow from the four steps of `docs/webhooks.md`, with its tolerance. How strictly a verifier reads the
 * header, whether it compares the timestamps and whether it parses the event is its own choice.
 */
const FOLLOW_FROM_THE_PAGE: readonly Draft['expected'][] = [
  'verified',
  'missing_header',
  'no_matching_signature',
  'too_old',
  'too_new',
];
const TOLERANCE_OF_THE_PAGE = 300;

/** Vectors by name. */
export type Drafts = Readonly<Record<string, Draft>>;

/** A signature header. */
export function usual(t: string, digests: readonly string[]): string {
  return [`t=${t}`, ...digests.map((digest) => `v1=${digest}`)].join();
}

/** Computes a digest without the verifier. */
export function digestOf(secret: string, t: string, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
}

/** Builds a vector of the file. */
export function finish(name: string, draft: Draft): Vector {
  const {
    expected,
    secrets = [SECRET],
    t = String(T),
    now = T,
    toleranceSeconds = TOLERANCE_OF_THE_PAGE,
  } = draft;
  const { signature = (...of) => [usual(...of)], timestamp = () => [t], signedWith = [SECRET] } = draft;
  const { body = EVENT_TEXT, headerNames = ['X-Partner-Signature', 'X-Partner-Timestamp'] } = draft;
  const signedBody = draft.signedBody ?? (isRaw(body) ? body : EVENT_TEXT);
  const [first = '', ...rest] = signedWith.map((secret) => digestOf(secret, t, signedBody));
  const [signatureName, timestampName] = headerNames;
  const follows = FOLLOW_FROM_THE_PAGE.includes(expected) && toleranceSeconds === TOLERANCE_OF_THE_PAGE;
  return {
    name,
    required: draft.required ?? follows,
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

/** Text if it survives every editor, otherwise base64. */
function bodyOf(body: Exclude<Draft['body'], undefined>): VectorBody {
  if (!isRaw(body)) return body;
  const bytes = Buffer.from(body);
  const isPlain = isUtf8(bytes) && !bytes.toString().startsWith('\uFEFF');
  return isPlain ? { text: bytes.toString() } : { base64: bytes.toString('base64') };
}

const AT = '2025-06-15T15:06:40.000Z';

/** Contract: 10.3 to 10.5. */
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

/** The default body. */
export const EVENT_TEXT = JSON.stringify(EVENTS.statusChanged);
