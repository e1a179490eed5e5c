/** Why a delivery was refused. A stable code. */
export type WebhookRefusalReason = keyof typeof HINTS;

/** A refused delivery. Return a status such as 400, never a 2xx. */
export interface WebhookRefusal {
  readonly ok: false;
  readonly reason: WebhookRefusalReason;
  /** How to fix it, for the log. Contains nothing of the request. */
  readonly hint: string;
}

const RAW_BODY =
  'Pass raw bytes: express.raw() before express.json(), Fastify parseAs "buffer", or request.arrayBuffer().';

/** The hint for each reason. Hints are short because they make up a fifth of the bundle. */
const HINTS = {
  missing_header: 'X-Partner-Signature is missing. Pass headers as sent.',
  malformed_header: 'X-Partner-Signature is not t=<seconds>,v1=<hex>. Pass headers as sent.',
  timestamp_mismatch: 'X-Partner-Timestamp is missing or not t. Pass headers as sent.',
  too_old: 'Signed long ago. Verify before queueing. Set the clock.',
  too_new: 'Signed in the future. Set the clock.',
  no_matching_signature: `Secret or body differs. Pass the whole whsec_... Decode base64. ${RAW_BODY}`,
  body_was_parsed: `Body was parsed. ${RAW_BODY}`,
  missing_body: `No body. ${RAW_BODY}`,
  malformed_body: 'Body is not a JSON event in UTF-8. Tell the sender.',
  unsupported_version: 'apiVersion is not v1. Update the verifier.',
} as const;

/** `cause`: a sentence before the hint. */
export function refuse(reason: WebhookRefusalReason, cause = ''): WebhookRefusal {
  return { ok: false, reason, hint: cause + HINTS[reason] };
}

/** The likely cause if the bytes are not UTF-8 and their signature does not match. */
export const NOT_AS_SENT = 'Body was compressed or re-encoded. ';
