import { BY_HAND, DUTIES, ofSeverity, USE_VERIFIER, VERIFIER } from './finding-text.js';

/** Findings about a receiver that accepts forged deliveries. */
export const FORGERIES = ofSeverity('security', {
  does_not_verify: {
    summary: 'The receiver accepts deliveries that the service never signed.',
    meaning:
      'Anyone who knows the URL can report hires and close jobs. A receiver that verifies after its response gets this finding too.',
    remedy: `Verify before you respond, and return 400 if the signature is invalid. ${USE_VERIFIER}`,
    guide: DUTIES,
  },
  accepts_unsigned: {
    summary: 'The receiver accepts a delivery without X-Partner-Signature.',
    meaning: 'Anyone can forge an event by leaving the signature out.',
    remedy: 'Return 400 if the X-Partner-Signature header is missing.',
    guide: BY_HAND,
  },
  accepts_malformed_header: {
    summary: 'The receiver accepts a delivery with a malformed X-Partner-Signature.',
    meaning: 'A malformed header does not prove who sent the event.',
    remedy: 'Return 400 unless X-Partner-Signature has exactly one t and at least one v1.',
    guide: BY_HAND,
  },
  accepts_tampered_body: {
    summary: 'The receiver accepts a body that was changed after it was signed.',
    meaning: 'Anyone who has seen one signed delivery can send any event with its signature.',
    remedy: `Compute the HMAC of the text t, a full stop, and the whole body. ${USE_VERIFIER}`,
    guide: BY_HAND,
  },
  accepts_tampered_signature: {
    summary: 'The receiver accepts a signature that is wrong or shortened.',
    meaning: 'An attacker can guess a signature if the receiver compares only a part of it.',
    remedy: `Compare all 64 hex digits in constant time, and reject signatures of any other length. ${USE_VERIFIER}`,
    guide: BY_HAND,
  },
  accepts_tampered_timestamp: {
    summary: 'The receiver accepts a signature header whose t was changed after signing.',
    meaning: 'Anyone who has seen a delivery can replay it at any time by changing t.',
    remedy:
      'Compute the HMAC of t, a full stop, and the body. Use the text of t exactly as it stands in the signature header.',
    guide: BY_HAND,
  },
  accepts_wrong_secret: {
    summary: 'The receiver accepts a delivery that was signed with a random secret.',
    meaning: 'Anyone can send you forged events, because a signature with any secret is accepted.',
    remedy: `Compute the HMAC with the signing secret of your endpoint. ${USE_VERIFIER}`,
    guide: BY_HAND,
  },
  accepts_old_secret: {
    summary: 'The receiver still accepts deliveries that are signed with an old secret.',
    meaning: 'If the old secret leaked, an attacker can still forge events, in spite of the rotation.',
    remedy: 'Remove the old secret from the configuration, and restart the processes that loaded it.',
    guide: VERIFIER,
  },
  accepts_stale: {
    summary: 'The receiver accepts a delivery that was signed ten minutes ago.',
    meaning: 'Anyone who has recorded a delivery can replay it at any time.',
    remedy: 'Reject a t that is more than 300 seconds behind your clock.',
    guide: BY_HAND,
  },
  accepts_future: {
    summary: 'The receiver accepts a delivery whose t is ten minutes in the future.',
    meaning: 'Anyone who has recorded such a delivery can replay it until that time and 300 seconds longer.',
    remedy: 'Reject a t that is more than 300 seconds before or after your clock.',
    guide: BY_HAND,
  },
  trusts_timestamp_header: {
    summary: 'The receiver checks the age of a delivery by X-Partner-Timestamp, which is not signed.',
    meaning: 'Anyone who has recorded a delivery can replay it with a new X-Partner-Timestamp.',
    remedy:
      'Take the time from t in X-Partner-Signature. Reject a delivery if X-Partner-Timestamp differs from t.',
    guide: BY_HAND,
  },
});
