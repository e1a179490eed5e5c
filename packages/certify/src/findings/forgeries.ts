import { BY_HAND, DUTIES, type FindingText, USE_VERIFIER, VERIFIER } from './finding-text.js';

/** The receiver accepts forged deliveries. */
export const FORGERIES = {
  does_not_verify: {
    severity: 'security',
    summary: 'It accepts deliveries that the service never signed.',
    meaning:
      'Anyone who knows the URL can report hires and close jobs. Verifying after the response looks the same.',
    remedy: `Verify before you respond, and return 400 if the signature is invalid. ${USE_VERIFIER}`,
    guide: DUTIES,
  },
  accepts_unsigned: {
    severity: 'security',
    summary: 'It accepts a delivery without X-Partner-Signature.',
    meaning: 'Anyone can forge an event by leaving the signature out.',
    remedy: 'Return 400 if the header is missing.',
    guide: BY_HAND,
  },
  accepts_malformed_header: {
    severity: 'security',
    summary: 'It accepts a delivery with a malformed X-Partner-Signature.',
    meaning: 'A malformed header proves nothing, but the event was accepted.',
    remedy: 'Return 400 unless the header has exactly one t and at least one v1.',
    guide: BY_HAND,
  },
  accepts_tampered_body: {
    severity: 'security',
    summary: 'It accepts a body that was changed after it was signed.',
    meaning: 'Anyone who has seen one signature can send any event with it.',
    remedy: `Compute the HMAC over t, a full stop, and all bytes of the body. ${USE_VERIFIER}`,
    guide: BY_HAND,
  },
  accepts_tampered_signature: {
    severity: 'security',
    summary: 'It accepts a signature that is wrong or shortened.',
    meaning: 'An attacker can guess a signature if only part of it, or an empty one, is compared.',
    remedy: `Compare all 64 hex digits in constant time, and reject other lengths. ${USE_VERIFIER}`,
    guide: BY_HAND,
  },
  accepts_tampered_timestamp: {
    severity: 'security',
    summary: 'It accepts a t that was changed after it was signed.',
    meaning: 'Anyone who has seen a delivery can replay it at any time with a new t.',
    remedy: 'The signed text is t, a full stop, and the body. Use t exactly as in the signature header.',
    guide: BY_HAND,
  },
  accepts_wrong_secret: {
    severity: 'security',
    summary: 'It accepts a signature by another secret.',
    meaning: 'Anyone can sign events with a secret of their own.',
    remedy: `Compute the HMAC with the secret of your endpoint. ${USE_VERIFIER}`,
    guide: BY_HAND,
  },
  accepts_old_secret: {
    severity: 'security',
    summary: 'It accepts a signature by a secret whose overlap has ended.',
    meaning: 'If the old secret leaked, an attacker can still forge events, so the rotation has no effect.',
    remedy: 'Remove the old secret from the configuration, and restart processes that have it in memory.',
    guide: VERIFIER,
  },
  accepts_stale: {
    severity: 'security',
    summary: 'It accepts a delivery that was signed ten minutes ago.',
    meaning: 'Anyone who has recorded a delivery can replay it at any time.',
    remedy: 'Reject a t that is more than 300 seconds behind your clock.',
    guide: BY_HAND,
  },
  accepts_future: {
    severity: 'security',
    summary: 'It accepts a delivery that is signed ten minutes ahead.',
    meaning:
      'A delivery signed for the future can be replayed until then. The limit applies in both directions.',
    remedy: 'Compare the absolute difference between t and your clock with 300 seconds.',
    guide: BY_HAND,
  },
  trusts_timestamp_header: {
    severity: 'security',
    summary: 'It takes the age of a delivery from X-Partner-Timestamp, which is not signed.',
    meaning: 'Anyone who has recorded a delivery can replay it with a new X-Partner-Timestamp.',
    remedy: 'Take the time from t in X-Partner-Signature, and reject the delivery if the two differ.',
    guide: BY_HAND,
  },
} as const satisfies Readonly<Record<string, FindingText>>;
