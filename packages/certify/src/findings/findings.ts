import { BY_HAND, DUTIES, type FindingText } from './finding-text.js';
import { FORGERIES } from './forgeries.js';
import { REFUSALS } from './refusals.js';
import { UNUSABLE } from './unusable.js';

export type { FindingSeverity, FindingText } from './finding-text.js';

/** The code of a finding. Stable, so a pipeline can allow it. */
export type FindingCode = keyof typeof FINDINGS;

const WARNINGS = {
  fails_instead_of_refusing: {
    severity: 'warning',
    summary: 'It rejects some bad deliveries only by failing: with 5xx, a closed connection or no response.',
    meaning: 'Strangers can fill its log, and may be able to do more harm.',
    remedy: 'Return 400. A common cause is timingSafeEqual, which throws for different lengths.',
    guide: DUTIES,
  },
  throttles_instead_of_refusing: {
    severity: 'warning',
    summary: 'It responds to some bad deliveries with 429.',
    meaning: 'It did not accept them, but it might have without the rate limit.',
    remedy: 'Remove the rate limit from this route for the certification, and certify again.',
    guide: DUTIES,
  },
  ignores_timestamp_header: {
    severity: 'warning',
    summary: 'It accepts a delivery whose X-Partner-Timestamp differs from the signed t.',
    meaning: 'This is harmless while only t is used. It becomes a hole when other code reads the header.',
    remedy: 'Reject the delivery if the two differ, or never read X-Partner-Timestamp.',
    guide: BY_HAND,
  },
  refuses_large_body: {
    severity: 'warning',
    summary: 'It rejects a body of 64 kB.',
    meaning: 'Events are smaller than 4 kB today, but v1 can grow.',
    remedy: 'Set the limit of this route, and of proxies in front of it, to at least 64 kB.',
    guide: DUTIES,
  },
  answers_slowly: {
    severity: 'warning',
    summary: 'It took more than a third of the timeout to respond to a good delivery.',
    meaning: 'It will be too late under load, or when a database is slow.',
    remedy: 'Verify, put the event into your own queue, respond with 2xx at once, and process it later.',
    guide: DUTIES,
  },
} as const satisfies Readonly<Record<string, FindingText>>;

/** All findings, the most urgent first. */
export const FINDINGS = {
  ...UNUSABLE,
  ...FORGERIES,
  ...REFUSALS,
  ...WARNINGS,
} as const satisfies Readonly<Record<string, FindingText>>;
