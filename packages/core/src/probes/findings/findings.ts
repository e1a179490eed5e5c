import { DUTIES, ofSeverity } from './finding-text.js';
import { FORGERIES } from './forgeries.js';
import { REFUSALS } from './refusals.js';
import { UNUSABLE } from './unusable.js';

export type { FindingSeverity, FindingText } from './finding-text.js';

/** The code of a finding. Codes never change, so a pipeline can list those that it tolerates. */
export type FindingCode = keyof typeof FINDINGS;

const WARNINGS = ofSeverity('warning', {
  fails_instead_of_refusing: {
    summary:
      'The receiver fails on some bad deliveries instead of rejecting them: it returns 5xx, closes the connection or does not respond.',
    meaning: 'Anyone can fill the log of the receiver with errors, and may be able to do more harm.',
    remedy:
      'Return 400 for a bad delivery. A common cause is timingSafeEqual, which throws if the lengths differ.',
    guide: DUTIES,
  },
  throttles_instead_of_refusing: {
    summary: 'The receiver responds to some bad deliveries with 429.',
    meaning: 'The rate limit hides whether the receiver would have accepted these deliveries.',
    remedy: 'Remove the rate limit from the webhook route, and run the certification again.',
    guide: DUTIES,
  },
  refuses_large_body: {
    summary: 'The receiver rejects a body of 64 kB.',
    meaning: 'Events are smaller than 4 kB today, but v1 can grow.',
    remedy: 'Raise the body limit of the webhook route, and of proxies in front of it, to at least 64 kB.',
    guide: DUTIES,
  },
  answers_slowly: {
    summary: 'The receiver took more than a third of the timeout to respond to a good delivery.',
    meaning: 'Under load, or with a slow database, the receiver will exceed the timeout.',
    remedy: 'Verify the delivery, put the event into a queue, and respond with 2xx. Process the event later.',
    guide: DUTIES,
  },
});

/** All possible findings, ordered by urgency. */
export const FINDINGS = { ...UNUSABLE, ...FORGERIES, ...REFUSALS, ...WARNINGS };
