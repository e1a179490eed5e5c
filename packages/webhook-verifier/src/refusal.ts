/** Why a delivery was refused. Stable: log it, count it, switch over it. */
export type WebhookRefusalReason = keyof typeof HINTS;

/** A delivery that must not be acted upon. Answer it with a status such as 400, never with a 2xx. */
export interface WebhookRefusal {
  readonly ok: false;
  readonly reason: WebhookRefusalReason;
  /** For the developer who reads the log: what to do about it. It contains nothing of the request. */
  readonly hint: string;
}

const RAW_BODY =
  'Pass raw bytes: express.raw() before express.json(), Fastify parseAs "buffer", or request.arrayBuffer().';

/** What to do about each reason. Brief, since they are a fifth of what a browser loads. */
const HINTS = {
  missing_header: 'X-Partner-Signature is missing. Pass all headers.',
  malformed_header: 'X-Partner-Signature is not t=<seconds>,v1=<hex>. Pass it unchanged.',
  timestamp_mismatch: 'X-Partner-Timestamp is not t of X-Partner-Signature. Pass it unchanged.',
  too_old: 'Signed long ago. Verify before queueing. Set the clock.',
  too_new: 'Signed in the future. Set the clock.',
  no_matching_signature: `Another secret or body. Pass whsec_... whole. ${RAW_BODY}`,
  body_was_parsed: `The body was parsed. ${RAW_BODY}`,
  missing_body: `No body. ${RAW_BODY}`,
  malformed_body: 'The body is no UTF-8 JSON event. Tell the sender.',
  unsupported_version: 'apiVersion is not v1. Update this library.',
} as const;

/** The refusal for a reason. */
export function refuse(reason: WebhookRefusalReason): WebhookRefusal {
  return { ok: false, reason, hint: HINTS[reason] };
}
