import { BY_HAND, DUTIES, ofSeverity, RETRIES, VERIFIER } from './finding-text.js';

/** Findings about a receiver that accepts no event, or with which the checks cannot continue. */
export const UNUSABLE = ofSeverity('fault', {
  strips_secret_prefix: {
    summary: 'The receiver computes the HMAC without the prefix whsec_ of the secret.',
    meaning: 'The receiver rejects every delivery of the service.',
    remedy: 'Use the whole string as the HMAC key, including whsec_.',
    guide: BY_HAND,
  },
  decodes_secret: {
    summary: 'The receiver decodes the secret from base64 before it computes the HMAC.',
    meaning: 'The receiver rejects every delivery of the service.',
    remedy: 'Use the whole secret as the HMAC key, in UTF-8, without decoding it.',
    guide: BY_HAND,
  },
  pads_secret: {
    summary: 'The receiver uses a secret that is surrounded by a line break, a space or quotes.',
    meaning: 'The receiver rejects every delivery of the service.',
    remedy: 'Trim white space and quotes when you load the secret from a file or the environment.',
    guide: VERIFIER,
  },
  refuses_everything: {
    summary: 'The receiver accepts none of the three events that the service sends.',
    meaning:
      'The service would pause the endpoint. Certify skipped the other checks, because they need an accepted delivery.',
    remedy:
      'Check the status of the responses. For 404 or 405, correct the path of the URL. For 401 or 403, remove the login ' +
      'or CSRF guard from the route. For 5xx, read the log of the receiver. For any other status, check that the ' +
      'receiver has the signing secret, that its clock is right, and that no parser changes the body before verification.',
    guide: VERIFIER,
  },
  redirects: {
    summary: 'The receiver responds with a redirect.',
    meaning:
      'The service does not follow redirects. It counts each one as a failure, and finally pauses the endpoint.',
    remedy:
      'Register the URL that the redirect leads to. Look for http, www, a trailing slash or a login page.',
    guide: RETRIES,
  },
  throttles: {
    summary: 'The receiver responds to a good delivery with 429.',
    meaning:
      'The service ignores Retry-After: it retries after one minute, then after five. It pauses the endpoint after 50 ' +
      'failures in a row. Certify skipped the other checks, because a 429 hides their results.',
    remedy:
      'Remove the rate limit from the webhook route, or raise it. The service sends four deliveries at once, and after ' +
      'a pause it sends all queued deliveries. Then run the certification again.',
    guide: RETRIES,
  },
  answers_too_late: {
    summary: 'The receiver did not respond to a good delivery within the timeout.',
    meaning: 'The service retries the delivery, although the receiver may already have processed the event.',
    remedy: 'Verify the delivery, put the event into a queue, and respond with 2xx. Process the event later.',
    guide: DUTIES,
  },
  went_away: {
    summary: 'The receiver stopped accepting connections during the checks.',
    meaning:
      'The last delivery may have crashed the receiver, and anyone can send such a request. Certify skipped the other checks.',
    remedy:
      'Find the crash in the log of the receiver. Catch errors, so that a request cannot end the process.',
    guide: DUTIES,
  },
});
