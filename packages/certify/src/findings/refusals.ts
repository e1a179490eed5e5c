import { BY_HAND, DUTIES, type FindingText, RETRIES, VERIFIER } from './finding-text.js';

/** The receiver rejects deliveries that the service sends, or may send. */
export const REFUSALS = {
  verifies_other_bytes: {
    severity: 'fault',
    summary: 'It does not verify the bytes that arrived, but a body that was parsed and serialized again.',
    meaning:
      'It fails for events with white space, escapes or characters that your serializer writes differently.',
    remedy:
      'Keep the raw body for verification. Express: express.raw({ type: "application/json" }) on this route, before ' +
      'any express.json(). Fastify: a content type parser with parseAs "buffer". Fetch API: request.arrayBuffer().',
    guide: VERIFIER,
  },
  refuses_event_type: {
    severity: 'fault',
    summary: 'It accepts some of the three documented events and rejects others.',
    meaning:
      'The service sends a rejected event ten times, then drops it. 50 failures in a row pause the endpoint.',
    remedy: 'Respond with 2xx to every verified event, even if you do not use it.',
    guide: DUTIES,
  },
  answers_gone: {
    severity: 'fault',
    summary: 'It responds to a good delivery with 410.',
    meaning: 'A 410 pauses the endpoint at once, and an operator has to resume it.',
    remedy: 'Return 410 only to shut the endpoint down. Respond with 2xx to verified events.',
    guide: RETRIES,
  },
  refuses_null: {
    severity: 'fault',
    summary: 'It rejects an event whose sourceApplicationId is null.',
    meaning: 'It misses decisions on applications that were submitted without one.',
    remedy: 'Allow null for sourceApplicationId, and identify applications by applicationId.',
    guide: 'Webhooks',
  },
  refuses_long_text: {
    severity: 'fault',
    summary: 'It rejects an event with a title of 500 characters, the maximum.',
    meaning: 'A job with a long title never opens for you.',
    remedy: 'Allow bodies of 64 kB, and columns with the lengths in the guide.',
    guide: DUTIES,
  },
  refuses_repeated: {
    severity: 'fault',
    summary: 'It rejects an event that it has already accepted.',
    meaning: 'The service can send an event again after your response. Each rejection counts as a failure.',
    remedy: 'Respond with 2xx to an id that you have seen, and do nothing.',
    guide: DUTIES,
  },
  refuses_within_tolerance: {
    severity: 'fault',
    summary: 'It rejects a delivery signed four minutes before or after its time, although five are allowed.',
    meaning: 'It misses deliveries when two clocks differ slightly.',
    remedy: 'Allow 300 seconds in both directions. If it does, synchronize its clock.',
    guide: BY_HAND,
  },
  compares_one_v1: {
    severity: 'fault',
    summary: 'It compares only one of several v1 in X-Partner-Signature.',
    meaning: 'During a rotation there are two. It rejects everything until it has the other secret.',
    remedy: 'Compare each v1, and accept the delivery if one matches. Do not parse the header into a map.',
    guide: BY_HAND,
  },
  ignores_a_secret: {
    severity: 'fault',
    summary: 'It rejects a signature by one of the valid secrets.',
    meaning: 'It rejects everything before or after the rotation.',
    remedy: 'Verify with both secrets during a rotation: secret: [next, current].',
    guide: VERIFIER,
  },
  refuses_unknown_type: {
    severity: 'fault',
    summary: 'It rejects an event type that v1 does not have yet.',
    meaning: 'v1 can grow. Events of a new type would fail, and 50 failures in a row pause the endpoint.',
    remedy: 'Respond with 2xx to unknown types, and do nothing.',
    guide: DUTIES,
  },
  refuses_unknown_field: {
    severity: 'fault',
    summary: 'It rejects an event with a field that v1 does not have yet.',
    meaning: 'v1 can grow. All events would fail once a field is added.',
    remedy: 'Ignore unknown fields in your schema, in the envelope and in data.',
    guide: DUTIES,
  },
  refuses_unknown_value: {
    severity: 'fault',
    summary: 'It rejects an event with a reason that v1 does not have yet.',
    meaning: 'v1 can grow, and so can its lists of values.',
    remedy: 'Read enum values as text, with a default case for unknown ones.',
    guide: DUTIES,
  },
  fails_at_once: {
    severity: 'fault',
    summary: 'It accepts single deliveries, but not four at once.',
    meaning: 'The service sends up to four at a time. After an outage, all of them would fail.',
    remedy:
      'Check for locks on one row or file, a pool with one connection, or a rate limit in front of the route.',
    guide: DUTIES,
  },
  fails_on_slow_body: {
    severity: 'fault',
    summary: 'It fails when a body arrives in pieces.',
    meaning: 'Networks can split any body.',
    remedy: 'Read the whole body before you verify it. One chunk is not the body.',
    guide: DUTIES,
  },
  fails_after_refusal: {
    severity: 'fault',
    summary: 'It fails on a good delivery after a rejected one.',
    meaning: 'One forged request is enough to lose an event.',
    remedy:
      'Read the body of rejected requests too, or close the connection after the response. Keep no state of them.',
    guide: DUTIES,
  },
} as const satisfies Readonly<Record<string, FindingText>>;
