import type { FindingText } from './finding-text.js';
import { BY_HAND, DUTIES, USE_VERIFIER, VERIFIER } from './phrases.js';

/** What somebody else can have it take. */
export const FORGERIES = {
  does_not_verify: {
    severity: 'security',
    summary: 'It takes deliveries that the service never signed.',
    meaning:
      'Whoever knows the URL can report hires and close jobs. Verifying after the answer looks the same.',
    remedy: `Verify before answering, and answer 400 to what does not verify. ${USE_VERIFIER}`,
    guide: DUTIES,
  },
  accepts_unsigned: {
    severity: 'security',
    summary: 'It takes a delivery without X-Partner-Signature.',
    meaning: 'Leaving the signature out is enough to forge an event.',
    remedy: 'Refuse with 400 if the header is missing.',
    guide: BY_HAND,
  },
  accepts_malformed_header: {
    severity: 'security',
    summary: 'It takes a delivery whose X-Partner-Signature is not of the documented form.',
    meaning: 'A header that cannot be read proves nothing, yet the event counted.',
    remedy: 'Refuse with 400 unless the header has one t and at least one v1.',
    guide: BY_HAND,
  },
  accepts_tampered_body: {
    severity: 'security',
    summary: 'It takes a body that was changed after it was signed.',
    meaning: 'Whoever once saw a signature can put any event under it.',
    remedy: `Compute the HMAC over t, a full stop, and all bytes of the body. ${USE_VERIFIER}`,
    guide: BY_HAND,
  },
  accepts_tampered_signature: {
    severity: 'security',
    summary: 'It takes a signature that is wrong or cut short.',
    meaning: 'Comparing only a part, or nothing of an empty text, lets signatures be guessed.',
    remedy: `Compare all 64 hex digits, in constant time; refuse other lengths. ${USE_VERIFIER}`,
    guide: BY_HAND,
  },
  accepts_tampered_timestamp: {
    severity: 'security',
    summary: 'It takes a t that was changed after it was signed.',
    meaning: 'Whoever once saw a delivery can replay it for ever with a fresh t.',
    remedy: 'The signed text is t, a full stop, and the body: t exactly as the signature header has it.',
    guide: BY_HAND,
  },
  accepts_wrong_secret: {
    severity: 'security',
    summary: 'It takes what another secret signed.',
    meaning: 'Anybody can sign with a secret of their own.',
    remedy: `Compute the HMAC with your endpoint's secret. ${USE_VERIFIER}`,
    guide: BY_HAND,
  },
  accepts_old_secret: {
    severity: 'security',
    summary: 'It takes what a secret signed whose overlap has ended.',
    meaning: 'A secret that leaked stays good for forging, which is what the rotation was to end.',
    remedy: 'Remove the old secret from its configuration, and restart what has it in memory.',
    guide: VERIFIER,
  },
  accepts_stale: {
    severity: 'security',
    summary: 'It takes a delivery that was signed ten minutes ago.',
    meaning: 'Whoever recorded a delivery can replay it at any time.',
    remedy: 'Refuse if t is more than 300 seconds behind your clock.',
    guide: BY_HAND,
  },
  accepts_future: {
    severity: 'security',
    summary: 'It takes a delivery that is signed for ten minutes ahead.',
    meaning: 'A delivery signed ahead can be replayed until then; the limit holds in both directions.',
    remedy: 'Compare the absolute difference between t and your clock with 300 seconds.',
    guide: BY_HAND,
  },
  trusts_timestamp_header: {
    severity: 'security',
    summary: 'It judges the age of a delivery by X-Partner-Timestamp, which is not signed.',
    meaning: 'Whoever recorded a delivery can replay it with a fresh X-Partner-Timestamp.',
    remedy: 'Take the time from t in X-Partner-Signature, and refuse if the two differ.',
    guide: BY_HAND,
  },
} as const satisfies Readonly<Record<string, FindingText>>;
