import { readIdempotencyKey } from '../../domain/idempotency.js';
import type { JobId } from '../../domain/ids.js';
import type { PartnerKey } from '../../domain/partner-key.js';
import { WIRE_ERRORS } from '../../domain/wire-errors.js';
import { validationError, type WireError } from '../../errors.js';
import type { PartnerApi, SubmitOutcome } from '../../partner/partner-api.js';
import { IGNORED_FIELDS_HEADER, toHeaderValue } from '../ignored-fields.js';
import { createLargeBodies } from '../large-bodies.js';
import { problemOfMediaType } from '../media-type.js';
import type { BodyLimits, BodyResult, HttpRequest } from '../message.js';
import { LARGE_BODY_BYTES, type ParsedBody, parseBody } from '../parse-submission.js';
import { noJsonErrors } from '../read-json.js';
import { type ExtraHeaders, type Outcome, type Route, type Uncounted, uncounted } from '../route.js';

export interface PostApplicationsDeps {
  readonly partner: Pick<PartnerApi, 'submitApplication'>;
  readonly bodyLimits: BodyLimits;
}

/**
 * Leaves invalid fields to the partner API, because a replay of a stored reply takes precedence over a
 * validation error. Contract: 6.
 */
export function createPostApplications({ partner, bodyLimits }: PostApplicationsDeps): Route {
  const largeBodies = createLargeBodies();
  return {
    bucket: null,
    run: async ({ request, key }) => {
      const received = await receive(request, key);
      if (received.kind !== 'received') return received;
      const { idempotencyKey, submitted, jobId, ignoredFields } = received;
      const submission = await partner.submitApplication({ key, idempotencyKey, ...submitted });
      if (submission.kind === 'unauthorized') return { kind: 'ended' };
      const outcome = reply(submission, jobId);
      return ignoredFields.length === 0 || isOutage(outcome) ? outcome : withHeader(outcome, ignoredFields);
    },
  };

  /** Reads and parses the body. A body of unknown length counts as large. */
  async function receive(request: HttpRequest, key: PartnerKey): Promise<Received> {
    const { maxBytes, timeoutMs } = bodyLimits;
    const announced = Number(request.headerValues('content-length')[0] ?? Number.NaN);
    if (announced > maxBytes) return TOO_LARGE;
    if (announced <= LARGE_BODY_BYTES) return receiveWithin(bodyLimits, request, key);
    const received = await largeBodies.take(key.id, timeoutMs, (leftMs) =>
      receiveWithin({ maxBytes, timeoutMs: leftMs }, request, key),
    );
    return received === 'timed_out' ? TIMED_OUT : received;
  }

  async function receiveWithin(limits: BodyLimits, request: HttpRequest, key: PartnerKey): Promise<Received> {
    const checked = checkHeaders(request, await request.readBody(limits));
    if (checked.kind !== 'readable') return checked;
    const { body, idempotencyKey } = checked;
    const parse = () => parseBody(body, key.environment);
    const isLarge = body.byteLength > LARGE_BODY_BYTES;
    const parsed = isLarge ? await largeBodies.work(key.id, parse) : parse();
    return { kind: 'received', idempotencyKey, ...parsed };
  }
}

type Received = ({ readonly kind: 'received'; readonly idempotencyKey: string } & ParsedBody) | Uncounted;

type CheckedHeaders =
  | { readonly kind: 'readable'; readonly body: Uint8Array; readonly idempotencyKey: string }
  | Uncounted;

function checkHeaders(request: HttpRequest, body: BodyResult): CheckedHeaders {
  if (body === 'timed_out') return TIMED_OUT;
  if (body === 'too_large') return TOO_LARGE;
  const problem = problemOfMediaType(request);
  if (problem !== null) return uncounted({ code: 'UNSUPPORTED_MEDIA_TYPE', problem });

  const key = readIdempotencyKey(request.headerValues('idempotency-key'));
  if (key.kind === 'missing') return uncounted({ code: 'IDEMPOTENCY_KEY_REQUIRED' });
  if (key.kind === 'malformed') return uncounted(malformedKey(key.problem));

  if (body === 'broken_off') return uncounted(BROKEN_OFF);
  return { kind: 'readable', body, idempotencyKey: key.key };
}

function reply(outcome: Exclude<SubmitOutcome, { kind: 'unauthorized' }>, jobId: JobId | undefined): Outcome {
  if (outcome.kind === 'refused') {
    const { error, rate } = outcome;
    return { kind: 'refused', error, rate, jobId };
  }
  const { applicationId, kind } = outcome;
  return {
    kind: 'answered',
    ...outcome.reply,
    rate: outcome.rate,
    submitted: { applicationId, isReplay: kind === 'replayed' },
    headers: outcome.kind === 'replayed' ? REPLAYED : undefined,
  };
}

/**
 * Replies for outages do not get the header: the OpenAPI document has one response for the outages of all endpoints,
 * without this header.
 */
function isOutage(outcome: Outcome): boolean {
  return outcome.kind === 'refused' && WIRE_ERRORS[outcome.error.code].status >= 500;
}

function withHeader(outcome: Outcome, ignoredFields: readonly string[]): Outcome {
  const headers: ExtraHeaders = {
    ...outcome.headers,
    [IGNORED_FIELDS_HEADER]: toHeaderValue(ignoredFields),
  };
  return { ...outcome, headers };
}

const TOO_LARGE = uncounted({ code: 'PAYLOAD_TOO_LARGE' });
/** A timeout gives 503, because the same request may succeed later. */
const TIMED_OUT = uncounted({ code: 'SERVICE_UNAVAILABLE' });
const REPLAYED = { 'Idempotent-Replayed': 'true' };

const KEY_PROBLEMS = {
  repeated: 'Send this header once.',
  quotes: 'Must be one UUID v4. One pair of double quotes may enclose it, without white space inside.',
  no_uuid_v4: 'Must be one UUID v4, such as 9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10.',
};

function malformedKey(problem: keyof typeof KEY_PROBLEMS): WireError {
  return validationError([
    { field: 'Idempotency-Key', code: 'invalid_format', message: KEY_PROBLEMS[problem] },
  ]);
}

/**
 * The client disconnected before the end of its body. The part that arrived must not count as a whole body.
 */
const BROKEN_OFF: WireError = validationError(noJsonErrors('broken_off'));
