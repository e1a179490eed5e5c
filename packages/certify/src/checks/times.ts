import {
  BEYOND_SECONDS,
  bodyOf,
  type Check,
  STALE_CHECK,
  sending,
  signed,
} from '@partner-hiring/core/probes';
import { withTimestamp } from './signatures.js';

/** An age of a signature within the tolerance of 300 s. It allows for a clock that is a minute off. */
const WITHIN_SECONDS = 240;

/** Checks how the receiver treats the age of a signature. Contract: 11.6. */
export const TIME_CHECKS: readonly Check[] = [
  signed(
    'four_minutes_old',
    'a delivery signed four minutes ago',
    'taken',
    'refuses_within_tolerance',
    WITHIN_SECONDS,
  ),
  signed(
    'four_minutes_ahead',
    'a delivery signed four minutes ahead',
    'taken',
    'refuses_within_tolerance',
    -WITHIN_SECONDS,
  ),
  STALE_CHECK,
  signed('future', 'a delivery signed ten minutes ahead', 'refused', 'accepts_future', -BEYOND_SECONDS),
  {
    name: 'stale_with_fresh_header',
    sent: 'a delivery signed ten minutes ago, with a new X-Partner-Timestamp',
    expects: 'refused',
    finding: 'trusts_timestamp_header',
    after: ['stale'],
    run: sending(async ({ sign, sample }) => {
      const { timestamp } = await sign('');
      return { ...(await sign(bodyOf(sample()), { ageSeconds: BEYOND_SECONDS })), timestamp };
    }),
  },
  {
    name: 'stale_with_fresh_t',
    sent: 'a delivery signed ten minutes ago, with a new t and the old X-Partner-Timestamp',
    expects: 'refused',
    finding: 'accepts_tampered_timestamp',
    after: ['stale'],
    run: sending(async ({ sign, sample }) => {
      const { timestamp } = await sign('');
      const stale = await sign(bodyOf(sample()), { ageSeconds: BEYOND_SECONDS });
      return { ...stale, signature: withTimestamp(stale, timestamp) };
    }),
  },
];
