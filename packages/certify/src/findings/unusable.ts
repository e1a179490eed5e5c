import { BY_HAND, DUTIES, type FindingText, RETRIES, VERIFIER } from './finding-text.js';

/** The receiver accepts no event, or the checks cannot continue. */
export const UNUSABLE = {
  strips_secret_prefix: {
    severity: 'fault',
    summary: 'It verifies with the secret without its whsec_.',
    meaning: 'It rejects every delivery of the service.',
    remedy: 'Use the whole string as the HMAC key, including whsec_.',
    guide: BY_HAND,
  },
  decodes_secret: {
    severity: 'fault',
    summary: 'It verifies with the secret decoded from base64.',
    meaning: 'It rejects every delivery of the service.',
    remedy: 'Do not decode the secret. The whole string, in UTF-8, is the HMAC key.',
    guide: BY_HAND,
  },
  pads_secret: {
    severity: 'fault',
    summary: 'It verifies with extra characters around the secret: a line break, a space or quotes.',
    meaning: 'It rejects every delivery of the service.',
    remedy: 'Trim the secret after reading it from a file or the environment.',
    guide: VERIFIER,
  },
  refuses_everything: {
    severity: 'fault',
    summary: 'It accepts none of the three events that the service sends.',
    meaning:
      'The service would pause the endpoint. The other checks were skipped, because they would prove nothing.',
    remedy:
      'Check its responses: for 404 or 405, correct the path of the URL; for 401 or 403, remove the login or CSRF ' +
      'guard from the route; for 5xx, read its log. Otherwise the secret differs from yours (compare it with the one ' +
      'shown at the last rotation), its clock is wrong, or a parser changed the body before verification.',
    guide: VERIFIER,
  },
  redirects: {
    severity: 'fault',
    summary: 'It responds with a redirect.',
    meaning:
      'The service does not follow redirects. Each is a failed attempt, and in the end the endpoint is paused.',
    remedy: 'Give the operator the final URL. Check https, a trailing slash, www and logins in between.',
    guide: RETRIES,
  },
  throttles: {
    severity: 'fault',
    summary: 'It responds to a good delivery with 429.',
    meaning:
      'The service retries after one minute, then after five, and ignores Retry-After. 50 failures in a row pause the ' +
      'endpoint. The other checks were skipped, because 429 hides their results.',
    remedy:
      'Exclude the route from the rate limit, or raise the limit: the service sends four deliveries at once, and all ' +
      'queued ones after a pause. Then certify again.',
    guide: RETRIES,
  },
  answers_too_late: {
    severity: 'fault',
    summary: 'It did not respond to a good delivery within the timeout.',
    meaning:
      'The attempt fails and the service retries it, although the receiver may have acted on the event.',
    remedy: 'Verify, put the event into your own queue, respond with 2xx at once, and process it later.',
    guide: DUTIES,
  },
  went_away: {
    severity: 'fault',
    summary: 'It stopped accepting connections during the checks.',
    meaning:
      'The last delivery may have crashed it, and anyone can send such a request. The other checks were skipped.',
    remedy: 'Read its log to find the crash. No request may end the process.',
    guide: DUTIES,
  },
} as const satisfies Readonly<Record<string, FindingText>>;
