/**
 * How much a finding matters. `security`: somebody else can act in the service's name. `fault`: events are lost, or
 * the endpoint will be paused. `warning`: it works, and should be looked at; it fails no certification.
 */
export type FindingSeverity = 'security' | 'fault' | 'warning';

/** What a finding says, whatever receiver it was found in. */
export interface FindingText {
  readonly severity: FindingSeverity;
  /** What the receiver did. */
  readonly summary: string;
  /** What follows from it. */
  readonly meaning: string;
  /** How to mend it. */
  readonly remedy: string;
  /** The heading to read on under, in the webhook guide. */
  readonly guide: string;
}

/** What can be found. Stable: a pipeline may allow for one by its code. */
export type FindingCode = keyof typeof FINDINGS;

const DUTIES = 'What a receiver does';
const VERIFIER = 'With the verifier';
const BY_HAND = 'Without it';
const RETRIES = 'Retries and pauses';

const USE_VERIFIER = 'verifyWebhook of @partner-hiring/webhook-verifier does it right.';

/** Every finding, the one to mend first before the others. */
export const FINDINGS = {
  strips_secret_prefix: {
    severity: 'fault',
    summary: 'It verifies with the secret without its whsec_.',
    meaning: 'No delivery of the service will verify.',
    remedy: 'Use the whole string as the HMAC key, whsec_ included.',
    guide: BY_HAND,
  },
  decodes_secret: {
    severity: 'fault',
    summary: 'It verifies with the secret decoded from base64.',
    meaning: 'No delivery of the service will verify.',
    remedy: 'Do not decode the secret: the whole string, as UTF-8, is the HMAC key.',
    guide: BY_HAND,
  },
  pads_secret: {
    severity: 'fault',
    summary: 'It verifies with more than the secret: a line break, a space or quotes around it.',
    meaning: 'No delivery of the service will verify.',
    remedy: 'Trim the secret where it is read from a file or the environment.',
    guide: VERIFIER,
  },
  refuses_everything: {
    severity: 'fault',
    summary: 'It takes none of the three events that the service sends.',
    meaning:
      'What it refuses besides proves nothing, so the other checks were skipped. The endpoint would be paused.',
    remedy:
      'By its answers: 404 or 405, the path of the URL; 401 or 403, a login or a CSRF guard in front of the route; 5xx, ' +
      'its own log. Else the secret is another one than yours (the one shown at the last rotation?), its clock is ' +
      'wrong, or a parser has touched the body before it was verified: it needs the bytes as they arrived.',
    guide: VERIFIER,
  },
  redirects: {
    severity: 'fault',
    summary: 'It answers with a redirect.',
    meaning: 'The service follows none: each is a failed attempt, and ends in a pause.',
    remedy: 'Give the operator the final URL. Look for https, a trailing slash, a www or a login in between.',
    guide: RETRIES,
  },
  answers_too_late: {
    severity: 'fault',
    summary: 'It did not answer a good delivery within the time-out.',
    meaning: 'The attempt counts as failed and the event comes again, although it may have been acted upon.',
    remedy: 'Verify, put the event into a queue of your own, answer 2xx at once, and do the work afterwards.',
    guide: DUTIES,
  },
  went_away: {
    severity: 'fault',
    summary: 'It stopped taking connections in the midst of the checks.',
    meaning:
      'A delivery, the last before, may have crashed it: anybody can send that. The other checks were skipped.',
    remedy: 'Read its log for the crash. No request may end the process.',
    guide: DUTIES,
  },
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
  verifies_other_bytes: {
    severity: 'fault',
    summary:
      'It verifies something else than the bytes that arrived: a body parsed and written again, or re-encoded.',
    meaning: 'It works until an event has other white space, escapes or letters than your serialiser writes.',
    remedy:
      'Keep the raw body for the verification. Express: express.raw({ type: "application/json" }) on this route, before ' +
      'any express.json(). Fastify: a content type parser with parseAs "buffer". Fetch-style: request.arrayBuffer().',
    guide: VERIFIER,
  },
  refuses_event_type: {
    severity: 'fault',
    summary: 'It takes some of the three documented events and refuses others.',
    meaning: 'Refused events come ten times and are lost then; fifty failures in a row pause the endpoint.',
    remedy: 'Answer 2xx to every event that verifies, also where you have no use for it.',
    guide: DUTIES,
  },
  answers_gone: {
    severity: 'fault',
    summary: 'It answers 410 to a good delivery.',
    meaning: 'A 410 pauses the endpoint at once, and an operator has to resume it.',
    remedy: 'Keep 410 for an endpoint that is to end. Answer 2xx to what verifies.',
    guide: RETRIES,
  },
  refuses_null: {
    severity: 'fault',
    summary: 'It refuses an event whose sourceApplicationId is null.',
    meaning: 'Decisions on applications that were submitted without one are lost.',
    remedy: 'Let sourceApplicationId be null, and go by applicationId.',
    guide: 'Webhooks',
  },
  refuses_long_text: {
    severity: 'fault',
    summary: 'It refuses an event with a title of 500 characters, the longest there is.',
    meaning: 'A job with a long title never opens for you.',
    remedy: 'Let bodies be 64 kB, and columns hold what the guide allows.',
    guide: DUTIES,
  },
  refuses_repeated: {
    severity: 'fault',
    summary: 'It refuses an event that it has taken before.',
    meaning: 'An event can come again although you answered. Refusing makes it a failure, ten times over.',
    remedy: 'Answer 2xx to an id that you have seen, and do nothing.',
    guide: DUTIES,
  },
  refuses_within_tolerance: {
    severity: 'fault',
    summary:
      'It refuses a delivery signed four minutes from now, though five are allowed in either direction.',
    meaning: 'Deliveries are lost as soon as two clocks differ by a little.',
    remedy: 'Allow 300 seconds both ways. If it does, its clock is off: synchronise it.',
    guide: BY_HAND,
  },
  compares_one_v1: {
    severity: 'fault',
    summary: 'It compares only one of several v1 in X-Partner-Signature.',
    meaning: 'During a rotation there are two. It will refuse everything until it has the other secret.',
    remedy: 'Compare each v1, and take the delivery if one matches. Beware of parsing the header into a map.',
    guide: BY_HAND,
  },
  ignores_a_secret: {
    severity: 'fault',
    summary: 'It does not take what one of the valid secrets signed by itself.',
    meaning: 'It will refuse everything once the rotation ends, or did before you switched.',
    remedy: 'Verify with both secrets during a rotation: secret: [next, current].',
    guide: VERIFIER,
  },
  refuses_unknown_type: {
    severity: 'fault',
    summary: 'It refuses an event of a type that v1 does not have yet.',
    meaning: 'v1 grows. The first event of a new type fails, and fifty pause the endpoint.',
    remedy: 'Answer 2xx to types that you do not know, and do nothing.',
    guide: DUTIES,
  },
  refuses_unknown_field: {
    severity: 'fault',
    summary: 'It refuses an event with a field that v1 does not have yet.',
    meaning: 'v1 grows. All events fail on the day that a field is added.',
    remedy: 'Let your schema ignore unknown fields, in the envelope and in data.',
    guide: DUTIES,
  },
  refuses_unknown_value: {
    severity: 'fault',
    summary: 'It refuses an event with a reason that v1 does not have yet.',
    meaning: 'v1 grows, and so do its lists of values.',
    remedy: 'Read enum values as text, with a case for those that you do not know.',
    guide: DUTIES,
  },
  fails_at_once: {
    severity: 'fault',
    summary: 'It takes deliveries one by one, but not four at once.',
    meaning: 'The service sends up to four at a time. After an outage each of them would fail.',
    remedy:
      'Look for locks on one row or file, a pool of one connection, or a limiter in front of the route.',
    guide: DUTIES,
  },
  fails_on_slow_body: {
    severity: 'fault',
    summary: 'It fails when a body arrives in pieces.',
    meaning: 'Networks cut bodies up as they like.',
    remedy: 'Read the body to its end before you verify; a single chunk is not the body.',
    guide: DUTIES,
  },
  fails_after_refusal: {
    severity: 'fault',
    summary: 'It fails on the good delivery that follows a refused one.',
    meaning: 'One forged request is enough to lose an event.',
    remedy:
      'Read the body of what you refuse, too, or close the connection with the answer. Keep no state of it.',
    guide: DUTIES,
  },
  fails_instead_of_refusing: {
    severity: 'warning',
    summary: 'It refuses some bad deliveries only by failing: with 5xx, a cut connection or silence.',
    meaning: 'They are not taken, but strangers can fill its log, and perhaps more.',
    remedy: 'Answer 400. A usual cause is timingSafeEqual, which throws if the lengths differ.',
    guide: DUTIES,
  },
  ignores_timestamp_header: {
    severity: 'warning',
    summary: 'It takes a delivery whose X-Partner-Timestamp is not the t that was signed.',
    meaning: 'No hole by itself: t is what was signed. It is one as soon as anything reads the plain header.',
    remedy: 'Refuse if the two differ, or never read X-Partner-Timestamp.',
    guide: BY_HAND,
  },
  refuses_large_body: {
    severity: 'warning',
    summary: 'It refuses a body of 64 kB.',
    meaning: 'Events are smaller than 4 kB today. v1 grows.',
    remedy: 'Let the limit of this route, and of the proxy in front, be 64 kB or more.',
    guide: DUTIES,
  },
  answers_slowly: {
    severity: 'warning',
    summary: 'It took more than a third of the time-out to answer a good delivery.',
    meaning: 'Under load, or when a database is slow, it will be too late.',
    remedy: 'Verify, put the event into a queue of your own, answer 2xx at once, and do the work afterwards.',
    guide: DUTIES,
  },
} as const satisfies Readonly<Record<string, FindingText>>;
