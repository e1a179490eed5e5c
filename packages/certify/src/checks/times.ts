import { bodyOf } from '../samples.js';
import { type Check, sending } from './check.js';
import { withTimestamp } from './signatures.js';

/** Ages of a signature within and beyond the tolerance of 300 s. They allow for a clock that is a minute off. */
const WITHIN_SECONDS = 240;
const BEYOND_SECONDS = 600;

export const STALE_CHECK: Check = signed(
  'stale',
  'a delivery signed ten minutes ago',
  'refused',
  'accepts_stale',
  BEYOND_SECONDS,
);

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

function signed(
  name: string,
  sent: string,
  expects: Check['expects'],
  finding: Check['finding'],
  ageSeconds: number,
): Check {
  const run = sending(({ sign, sample }) => sign(bodyOf(sample()), { ageSeconds }));
  return { name, sent, expects, finding, run };
}
