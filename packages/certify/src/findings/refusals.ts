import type { FindingText } from './finding-text.js';
import { BY_HAND, DUTIES, RETRIES, VERIFIER } from './phrases.js';

/** What it does not take, though the service sends it, or will. */
export const REFUSALS = {
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
} as const satisfies Readonly<Record<string, FindingText>>;
