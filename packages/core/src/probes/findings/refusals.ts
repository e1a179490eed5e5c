import { BY_HAND, DUTIES, ofSeverity, RETRIES, VERIFIER } from './finding-text.js';

/** Findings about a receiver that rejects deliveries that the service sends, or may send in the future. */
export const REFUSALS = ofSeverity('fault', {
  verifies_other_bytes: {
    summary: 'The receiver parses the body and serializes it again before it verifies the signature.',
    meaning:
      'The signature does not match if your serializer writes white space, escapes or characters differently.',
    remedy:
      'Verify the raw body. In Express, put express.raw({ type: "application/json" }) on the webhook route, before any ' +
      'express.json(). In Fastify, add a content type parser with parseAs "buffer". With a Request, use its arrayBuffer().',
    guide: VERIFIER,
  },
  refuses_event_type: {
    summary: 'The receiver accepts some of the three documented events and rejects others.',
    meaning:
      'The service drops a rejected event after ten attempts, and pauses the endpoint after 50 failures in a row.',
    remedy: 'Respond with 2xx to every verified event, even if you do not use it.',
    guide: DUTIES,
  },
  answers_gone: {
    summary: 'The receiver responds to a good delivery with 410.',
    meaning: 'The service pauses the endpoint at once, and an operator has to resume it.',
    remedy: 'Respond with 2xx to verified events. Return 410 only if you want the endpoint to be paused.',
    guide: RETRIES,
  },
  refuses_null: {
    summary: 'The receiver rejects an event whose sourceApplicationId is null.',
    meaning:
      'The receiver misses decisions on applications that were submitted without a sourceApplicationId.',
    remedy: 'Allow null for sourceApplicationId, and identify applications by applicationId.',
    guide: 'Webhooks',
  },
  refuses_long_text: {
    summary: 'The receiver rejects an event with a title of 500 characters, the maximum.',
    meaning: 'The receiver never learns of new jobs with long titles.',
    remedy: 'Accept bodies of up to 64 kB, and make database columns as long as the guide says.',
    guide: DUTIES,
  },
  refuses_repeated: {
    summary: 'The receiver rejects an event that it has already accepted.',
    meaning: 'The service may send an event more than once, and counts each rejection as a failure.',
    remedy: 'If you have already processed the id of an event, respond with 2xx and do nothing.',
    guide: DUTIES,
  },
  refuses_within_tolerance: {
    summary:
      'The receiver rejects a delivery whose t is four minutes off, although the tolerance is five minutes.',
    meaning: 'The receiver misses deliveries when its clock and the clock of the service differ slightly.',
    remedy: 'Accept a t up to 300 seconds before or after your clock. Also check that your clock is right.',
    guide: BY_HAND,
  },
  compares_one_v1: {
    summary: 'The receiver compares only one of several v1 entries in X-Partner-Signature.',
    meaning:
      'During a rotation the header has two v1 entries. The receiver rejects every delivery if it compares the wrong one.',
    remedy:
      'Accept the delivery if any v1 entry matches. Do not parse the header into a map: it keeps only one entry.',
    guide: BY_HAND,
  },
  ignores_a_secret: {
    summary: 'The receiver rejects deliveries that are signed with one of several valid secrets.',
    meaning: 'The receiver rejects every delivery either before or after the rotation.',
    remedy: 'During a rotation, pass both secrets to the verifier, as in { secret: [next, current] }.',
    guide: VERIFIER,
  },
  refuses_unknown_type: {
    summary: 'The receiver rejects an event whose type it does not know.',
    meaning:
      'v1 may gain event types. Their deliveries would fail, and the service pauses the endpoint after 50 failures in a row.',
    remedy: 'If the type of an event is unknown, respond with 2xx and do nothing.',
    guide: DUTIES,
  },
  refuses_unknown_field: {
    summary: 'The receiver rejects an event with a field that it does not know.',
    meaning: 'v1 may gain fields. Every event with a new field would fail.',
    remedy: 'Make your schema ignore unknown fields, both at the top level of the event and in data.',
    guide: DUTIES,
  },
  refuses_unknown_value: {
    summary: 'The receiver rejects a job.closed event whose reason it does not know.',
    meaning: 'v1 may gain reasons. Every event with a new reason would fail.',
    remedy: 'Read enum values as text, and handle unknown values in a default case.',
    guide: DUTIES,
  },
  fails_at_once: {
    summary: 'The receiver accepts single deliveries, but fails on four concurrent ones.',
    meaning: 'The service sends up to four deliveries at once, above all after an outage. They would fail.',
    remedy:
      'Look for a lock on one row or file, a connection pool of size one, or a rate limit in front of the route.',
    guide: DUTIES,
  },
  fails_on_slow_body: {
    summary: 'The receiver fails when a body arrives in pieces.',
    meaning: 'Any network may split a body into pieces.',
    remedy: 'Read all chunks of the body before you verify it.',
    guide: DUTIES,
  },
  fails_after_refusal: {
    summary: 'The receiver fails on a good delivery that follows a rejected one.',
    meaning: 'Anyone can make the receiver lose an event with one forged request.',
    remedy:
      'Read the whole body before you reject a request, or close the connection after the response. Keep no state of ' +
      'rejected requests.',
    guide: DUTIES,
  },
});
