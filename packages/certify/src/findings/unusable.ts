import type { FindingText } from './finding-text.js';
import { BY_HAND, DUTIES, RETRIES, VERIFIER } from './phrases.js';

/** What lets no event through, or stops the checks: nothing else can be told of such a receiver. */
export const UNUSABLE = {
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
  throttles: {
    severity: 'fault',
    summary: 'It answers a good delivery with 429: too many of them.',
    meaning:
      'The event comes again, late: the next attempt is after a minute, then after five. A Retry-After changes nothing, ' +
      'and 50 failures in a row are a pause. Who is throttled shows nothing else, so the other checks were skipped.',
    remedy:
      'Take the route out of the rate limit in front of it, or raise that: the service sends four at once, and after a ' +
      'pause all that has waited. Then certify it again.',
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
} as const satisfies Readonly<Record<string, FindingText>>;
