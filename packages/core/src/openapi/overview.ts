import { BOOTSTRAP_FACTOR, type RateLimits } from '../domain/rate-limit.js';
import { SIGNATURE_TOLERANCE_SECONDS } from '../domain/signature.js';
import { DEFAULT_MAX_BODY_BYTES } from '../http/handler.js';

/** What the overview tells of a host's own choices. */
export interface OverviewFacts {
  readonly limits: RateLimits;
  readonly maxBodyBytes: number | undefined;
}

/** What holds for all operations, in Markdown. */
export function overview({ limits, maxBodyBytes = DEFAULT_MAX_BODY_BYTES }: OverviewFacts): string {
  return `For applicant-tracking systems: list open jobs, submit candidates, read how they fare, and receive signed webhooks.

# Requests

Every request carries \`Authorization: Bearer <API_KEY>\`. A missing or invalid key is 401, before everything else. Bodies are \`application/json\` in UTF-8, without a content encoding, ${maxBodyBytes} bytes at most. Unknown fields and query parameters are ignored. Paths are case-sensitive and have no slash at their end; \`HEAD\` is \`GET\` without the body.

v1 only grows: be ready for new fields, headers, event types and values of an enum.

# Idempotency

\`POST /applications\` needs an \`Idempotency-Key\`, a UUID v4. Make it when you create the submission and keep it for all retries.

- The same key and the same bytes: the first 201 again, with \`Idempotent-Replayed: true\`.
- The same key and other bytes, even of the same JSON: 422 \`IDEMPOTENCY_KEY_REUSED\`.
- Only a 201 binds a key, for 24 hours. After any other answer it is still free.

# Lists

Rows come in the order in which they last changed. Follow \`next_cursor\` until there is none, and insert or update by \`id\`. To stay up to date, pass the \`X-Updated-Through\` of the last page as the next \`updated_since\`: you miss nothing, stage moves included.

# Limits

| Operation | Per minute | Counted per |
| --- | --- | --- |
| \`POST /applications\` | ${limits.submit_application}, or ${limits.submit_application * BOOTSTRAP_FACTOR} in bootstrap mode | key and company |
| \`GET /applications/{id}\` | ${limits.read_application} | key |
| \`GET /applications\` | ${limits.list_applications} | key |
| \`GET /jobs\` | ${limits.list_jobs} | key |
| requests refused before they reach a limit of their own, replays, and each 429 after the first in a minute | ${limits.guard} | key |
| requests without a valid key | ${limits.failed_authentication} | client address |

Every response of the service has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`. On 429, wait for \`Retry-After\` seconds; \`scope\` says what is throttled.

# Errors

Every error of the service is \`{ "error", "message", "details"? }\`. Branch on \`error\`; log \`message\` and the \`X-Request-Id\` of the response. After 500, 503, 429 and \`IDEMPOTENCY_KEY_IN_PROGRESS\`, send the same request again; so too after a 408 or 5xx of a proxy in between, and where no answer came. Any other path is 404 \`NOT_FOUND\`, any other method 405 \`METHOD_NOT_ALLOWED\`.

# Signatures

Deliveries are signed with your signing secret, \`whsec_…\`.

1. Take \`t\` and each \`v1\` from \`X-Partner-Signature\`.
2. Compute HMAC-SHA256 over \`<t>.<raw body>\`, the bytes as they came, with the whole secret as the key; in lowercase hex.
3. Compare with each \`v1\` in constant time. One that matches is enough.
4. Refuse what is more than ${SIGNATURE_TOLERANCE_SECONDS} seconds from your clock, either way.
`;
}
