/** Why a delivery was refused. Stable: log it, count it, switch over it. */
export type WebhookRefusalReason = keyof typeof HINTS;

/** A delivery that must not be acted upon. Answer it with a status such as 400, never with a 2xx. */
export interface WebhookRefusal {
  readonly ok: false;
  readonly reason: WebhookRefusalReason;
  /** For the developer who reads the log: what it usually comes from. It contains nothing of the request. */
  readonly hint: string;
}

const RAW_BODY =
  'Verification needs the bytes exactly as they arrived. Express: express.raw({ type: "application/json" }) on ' +
  'this route, before any express.json(). Fastify: addContentTypeParser("application/json", { parseAs: "buffer" }, ' +
  '...). Fetch-style servers: await request.arrayBuffer().';

/** What each reason usually comes from. */
const HINTS = {
  missing_header:
    'The request has no X-Partner-Signature header. Either it is no webhook delivery, or a proxy in front removes it.',
  malformed_header:
    'X-Partner-Signature is not of the form t=<unix seconds>,v1=<64 lowercase hex digits>, or was sent more than once.',
  timestamp_mismatch:
    'X-Partner-Timestamp is missing or differs from the t in X-Partner-Signature. Hand over all headers of the request.',
  too_old:
    'The signature is older than the tolerance: a replay, a queue in front of this check, or a clock here that runs ' +
    'ahead. Verify before queueing, and synchronise the clock.',
  too_new:
    'The signature lies further in the future than the tolerance: the clock here runs behind. Synchronise it.',
  no_matching_signature:
    'No signature matches. Either the secret is another one (use the whole string, whsec_ included, without spaces or ' +
    `a line break), or the body was changed on its way. ${RAW_BODY}`,
  body_was_parsed: `The body is neither text nor bytes: a parser has already read it. ${RAW_BODY}`,
  missing_body: `The body is missing: nothing has read it, or it was read before. ${RAW_BODY}`,
  malformed_body: 'The signature is right, but the body is no event envelope in UTF-8 JSON.',
  unsupported_version:
    'The signature is right, but apiVersion is not v1. Update this library, or have the endpoint set back to v1.',
} as const;

/** The refusal for a reason. */
export function refuse(reason: WebhookRefusalReason): WebhookRefusal {
  return { ok: false, reason, hint: HINTS[reason] };
}
