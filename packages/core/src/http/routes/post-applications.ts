import { readIdempotencyKey } from '../../domain/idempotency.js';
import { validationError, type WireError } from '../../errors.js';
import type { PartnerApi, SubmitCall, SubmitOutcome } from '../../partner/partner-api.js';
import { announcesJson } from '../media-type.js';
import type { BodyReading, HttpRequest } from '../message.js';
import { NO_JSON_ERRORS, parseSubmission } from '../parse-submission.js';
import { type Outcome, type Route, type Uncounted, uncounted } from '../route.js';

/** What submitting over HTTP needs. */
export interface PostApplicationsDeps {
  readonly partner: Pick<PartnerApi, 'submitApplication'>;
  readonly maxBodyBytes: number;
}

/**
 * Submits a candidate: body, media type, idempotency key, then all that needs the storage. What is wrong
 * with the fields is handed on rather than reported, for a replay comes before it.
 * Spec: `POST /applications`.
 */
export function createPostApplications({ partner, maxBodyBytes }: PostApplicationsDeps): Route {
  return {
    bucket: null,
    run: async ({ request, key }) => {
      const reading = readCall(request, await readBody(request, maxBodyBytes));
      if (reading.kind !== 'call') return reading;
      return reply(await partner.submitApplication({ key, ...reading.call }));
    },
  };
}

type CallReading = { readonly kind: 'call'; readonly call: Omit<SubmitCall, 'key'> } | Uncounted;

/** The checks that need no storage, in their order. */
function readCall(request: HttpRequest, body: BodyReading): CallReading {
  if (body === 'too_large') return uncounted({ code: 'PAYLOAD_TOO_LARGE' });
  if (!announcesJson(request)) return uncounted({ code: 'UNSUPPORTED_MEDIA_TYPE' });

  const reading = readIdempotencyKey(request.headerValues('idempotency-key'));
  if (reading.kind === 'missing') return uncounted({ code: 'IDEMPOTENCY_KEY_REQUIRED' });
  if (reading.kind === 'malformed') return uncounted(MALFORMED_KEY);

  if (body === 'broken_off') return uncounted(BROKEN_OFF);
  return { kind: 'call', call: { idempotencyKey: reading.key, body, parsed: parseSubmission(body) } };
}

/** A body that announces itself as too large need not be read. */
async function readBody(request: HttpRequest, limit: number): Promise<BodyReading> {
  const announced = Number(request.headerValues('content-length')[0] ?? 0);
  return announced > limit ? 'too_large' : request.readBody(limit);
}

function reply(outcome: SubmitOutcome): Outcome {
  if (outcome.kind === 'refused') return outcome;
  return {
    kind: 'answered',
    ...outcome.reply,
    rate: outcome.rate,
    ...(outcome.kind === 'replayed' ? { headers: REPLAYED } : {}),
  };
}

const REPLAYED = { 'Idempotent-Replayed': 'true' };
const MALFORMED_KEY: WireError = validationError([
  { field: 'Idempotency-Key', code: 'invalid_format', message: 'Must be one UUID v4.' },
]);
/** Nobody waits for this reply, but bytes that broke off must never be taken for the whole. */
const BROKEN_OFF: WireError = validationError(NO_JSON_ERRORS);
