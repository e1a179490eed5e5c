import { type Draft, type Drafts, T } from './draft.js';

const after = (seconds: number, expected: Draft['expected'], toleranceSeconds = 300): Draft => ({
  expected,
  now: T + seconds,
  toleranceSeconds,
});

export const TIMES: Drafts = {
  'received 300 s after t: the last second': after(300, 'verified'),
  'received 301 s after t': after(301, 'too_old'),
  'received 300 s before t: the last second': after(-300, 'verified'),
  'received 301 s before t': after(-301, 'too_new'),
  'received a year after t': after(31_536_000, 'too_old'),
  'received a year before t': after(-31_536_000, 'too_new'),
  'tolerance 0, received in the same second': after(0, 'verified', 0),
  'tolerance 0, received a second after t': after(1, 'too_old', 0),
  'tolerance 0, received a second before t': after(-1, 'too_new', 0),
  'tolerance 600, received 600 s after t': after(600, 'verified', 600),
  'tolerance 600, received 601 s after t': after(601, 'too_old', 600),
  'tolerance 600, received 600 s before t': after(-600, 'verified', 600),
  'tolerance 600, received 601 s before t': after(-601, 'too_new', 600),
  't is 0': { expected: 'verified', t: '0', now: 0 },
  't has twelve digits': { expected: 'verified', t: '999999999999', now: 999_999_999_999 },
  't beyond 2038': { expected: 'verified', t: '4102444800', now: 4_102_444_800 },
  't in milliseconds, thirteen digits': { expected: 'malformed_header', t: '1750000000000', required: true },
  'stale, and wrongly signed': { expected: 'too_old', now: T + 301, signedWith: ['whsec_a'] },
};
