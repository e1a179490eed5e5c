import type { PartnerEvent, WebhookRefusalReason } from '@partner-hiring/webhook-verifier';

/** The body for a verifier. */
export type VectorBody =
  | { readonly text: string }
  | { readonly base64: string }
  | { readonly parsed: unknown }
  | null;

/** A delivery and its expected outcome. */
export interface Vector {
  readonly name: string;
  /** Whether a verifier written from `docs/webhooks.md` must verify or refuse it as expected. */
  readonly required: boolean;
  readonly secrets: readonly string[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: VectorBody;
  /** Unix seconds. */
  readonly now: number;
  readonly toleranceSeconds: number;
  readonly expected:
    | { readonly ok: true; readonly event: PartnerEvent }
    | { readonly ok: false; readonly reason: WebhookRefusalReason };
}

/** A body and its expected headers. */
export interface SigningVector {
  readonly name: string;
  readonly secrets: readonly string[];
  /** Unix seconds. */
  readonly timestamp: number;
  readonly body: { readonly text: string };
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The whole file. */
export interface VectorFile {
  readonly format: typeof FORMAT;
  readonly reasons: typeof REASONS;
  readonly verify: readonly Vector[];
  readonly sign: readonly SigningVector[];
}

/** The meaning of each reason. */
export const REASONS: Readonly<Record<WebhookRefusalReason, string>> = {
  missing_body: 'No body was handed over.',
  body_was_parsed: 'The body is neither bytes nor text: something has parsed it.',
  missing_header: 'There is no X-Partner-Signature.',
  malformed_header: 'X-Partner-Signature is not of its form.',
  timestamp_mismatch:
    'X-Partner-Timestamp is missing, or is not the t of X-Partner-Signature, character by character.',
  too_old: 'now - t is more than toleranceSeconds.',
  too_new: 't - now is more than toleranceSeconds.',
  no_matching_signature: 'No v1 is the digest of t and the body under any of the secrets.',
  malformed_body:
    'It is signed, but is not UTF-8, not JSON, or not the envelope of an event with the fields of its type.',
  unsupported_version: 'It is signed, and its apiVersion is a text other than v1.',
};

/** The description in the file. */
export const FORMAT = {
  about: [
    'Test vectors for receivers of partner hiring webhooks, for any language.',
    'A verifier must verify or refuse each entry of `verify` that is `required` as expected. A signer must give the headers of `sign`.',
    'Nothing in here is secret, and nothing in here was ever sent.',
  ],
  scheme: [
    'X-Partner-Signature is t=<Unix seconds>,v1=<digest>, with one v1 for each secret that signs; X-Partner-Timestamp is the same t.',
    'A digest is HMAC-SHA256 in 64 lowercase hex digits. Its key is the whole secret in UTF-8, whsec_ included and nothing decoded.',
    'It is made over the bytes of t as written, one full stop, and the body as it arrived.',
    'Entries are parted by single commas, in any order: exactly one t, at least one v1. Blanks and tabs around a comma do not count.',
    't is 0, or up to twelve digits of which the first is not 0.',
    'Any other name of a lowercase letter with letters, digits or _ behind it, then =, is an entry of a later scheme, and is skipped.',
  ],
  verify: {
    name: 'What the entry is about. Unique.',
    required:
      'true if the steps of the webhooks page decide the outcome: your verifier must verify or refuse it as expected, with any reason. false if it depends on how strictly a verifier reads the header and the event, or on another tolerance than 300 seconds: @partner-hiring/webhook-verifier gives these outcomes, yours may give others.',
    secrets: 'The signing secrets that the verifier is given. One that matches is enough.',
    headers:
      'Pairs of name and value, in the order of the request. A name that is there twice was sent twice: hand it over as your server would, as a list or joined with a comma and a blank.',
    body: 'One of {"text": ...}, to be handed over as text or as its bytes in UTF-8; {"base64": ...}, bytes that are no plain text; {"parsed": ...}, a value where bytes should be; null, no body. Leave out the last two where your types rule them out.',
    now: 'The clock of the receiver, in Unix seconds.',
    toleranceSeconds: 'How far t may be from now, either way, the last second included.',
    expected:
      '{"ok": true, "event": ...} with what the body says in JSON, or {"ok": false, "reason": ...} with one of `reasons`.',
  },
  order:
    'Where several reasons apply, the first counts: missing_body, body_was_parsed, missing_header, malformed_header, timestamp_mismatch, too_old or too_new, no_matching_signature, then what the body says.',
  sign: {
    name: 'What the entry is about. Unique.',
    secrets: 'The secrets that sign, in this order.',
    timestamp: 'Unix seconds.',
    body: '{"text": ...}, signed as its bytes in UTF-8.',
    headers: 'Pairs of name and value, exactly as they must come out.',
  },
} as const;
