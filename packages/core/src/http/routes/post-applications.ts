import { readIdempotencyKey } from '../../domain/idempotency.js';
import type { PartnerKey } from '../../domain/partner-key.js';
import { validationError, type WireError } from '../../errors.js';
import type { PartnerApi, SubmitOutcome } from '../../partner/partner-api.js';
import { createLargeBodies } from '../large-bodies.js';
import { announcesJson } from '../media-type.js';
import type { BodyLimits, BodyReading, HttpRequest } from '../message.js';
import { LARGE_BODY_BYTES, NO_JSON_ERRORS, parseSubmission } from '../parse-submission.js';
import { type Outcome, type Route, type Uncounted, uncounted } from '../route.js';

/** What submitting over HTTP needs. */
export interface PostApplicationsDeps {
  readonly partner: Pick<PartnerApi, 'submitApplication'>;
  readonly bodyLimits: BodyLimits;
}

/**
 * Submits a candidate: body, media type, idempotency key, then all that needs the storage. What is wrong
 * with the fields is handed on rather than reported, for a replay comes before it.
 * Spec: `POST /applications`.
 */
export function createPostApplications({ partner, bodyLimits }: PostApplicationsDeps): Route {
  const largeBodies = createLargeBodies();
  return {
    bucket: null,
    run: async ({ request, key }) => {
      const body = await readBody(request, key);
      const checked = checkHeaders(request, body);
      if (checked.kind !== 'readable') return checked;
      const { idempotencyKey } = checked;
      const parse = () => parseSubmission(checked.body);
      const isLarge = checked.body.byteLength > LARGE_BODY_BYTES;
      const submitted = isLarge ? await largeBodies.work(key.id, parse) : parse();
      return reply(await partner.submitApplication({ key, idempotencyKey, ...submitted }));
    },
  };

  /** Reads the body, unless it announces itself as too large. One of unknown length may be large. */
  async function readBody(request: HttpRequest, key: PartnerKey): Promise<BodyReading> {
    const announced = Number(request.headerValues('content-length')[0] ?? Number.NaN);
    if (announced > bodyLimits.maxBytes) return 'too_large';
    const { maxBytes, timeoutMs } = bodyLimits;
    if (announced <= LARGE_BODY_BYTES) return request.readBody(bodyLimits);
    return largeBodies.read(key.id, timeoutMs, (leftMs) => request.readBody({ maxBytes, timeoutMs: leftMs }));
  }
}

type CheckedHeaders =
  | { readonly kind: 'readable'; readonly body: Uint8Array; readonly idempotencyKey: string }
  | Uncounted;

/** Makes the checks that need no more than the headers and the length of the body, in their order. */
function checkHeaders(request: HttpRequest, body: BodyReading): CheckedHeaders {
  if (body === 'timed_out') return uncounted({ code: 'SERVICE_UNAVAILABLE' });
  if (body === 'too_large') return uncounted({ code: 'PAYLOAD_TOO_LARGE' });
  if (!announcesJson(request)) return uncounted({ code: 'UNSUPPORTED_MEDIA_TYPE' });

  const reading = readIdempotencyKey(request.headerValues('idempotency-key'));
  if (reading.kind === 'missing') return uncounted({ code: 'IDEMPOTENCY_KEY_REQUIRED' });
  if (reading.kind === 'malformed') return uncounted(MALFORMED_KEY);

  if (body === 'broken_off') return uncounted(BROKEN_OFF);
  return { kind: 'readable', body, idempotencyKey: reading.key };
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
