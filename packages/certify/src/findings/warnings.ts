import type { FindingText } from './finding-text.js';
import { BY_HAND, DUTIES } from './phrases.js';

/** What works, and should be looked at. */
export const WARNINGS = {
  fails_instead_of_refusing: {
    severity: 'warning',
    summary: 'It refuses some bad deliveries only by failing: with 5xx, a cut connection or silence.',
    meaning: 'They are not taken, but strangers can fill its log, and perhaps more.',
    remedy: 'Answer 400. A usual cause is timingSafeEqual, which throws if the lengths differ.',
    guide: DUTIES,
  },
  throttles_instead_of_refusing: {
    severity: 'warning',
    summary: 'It answers some bad deliveries with 429: too many of them.',
    meaning: 'They are not taken, but whether they would be, were there fewer of them, is not shown.',
    remedy: 'Take the limit away from this route for as long as it is certified, and certify it again.',
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
