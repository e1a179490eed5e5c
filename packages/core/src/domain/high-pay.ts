import type { JobId } from './ids.js';

/** Jobs with a rate above 500 an hour in a currency in which it is probably a salary. */
export interface HighPay {
  readonly jobs: number;
  /** The first three. */
  readonly ids: readonly JobId[];
}

/** More than the best paid professions get per hour, and less than almost any monthly or yearly salary. */
const HIGH_RATE = 500;
const HIGH_RATE_CURRENCIES: readonly unknown[] = ['USD', 'EUR', 'GBP', 'CHF', 'CAD', 'AUD'];
const HIGH_PAY_NAMED = 3;

/** Returns whether pay is probably a salary, and not an hourly rate. The pay need not be valid. */
export function isHighPay(
  pay: { readonly [Name in 'min' | 'max' | 'currency']?: unknown } | null | undefined,
): boolean {
  const isHigh = (rate: unknown) => typeof rate === 'number' && rate > HIGH_RATE;
  return HIGH_RATE_CURRENCIES.includes(pay?.currency) && (isHigh(pay?.min) || isHigh(pay?.max));
}

export function withHighPay({ jobs, ids }: HighPay, id: JobId): HighPay {
  return { jobs: jobs + 1, ids: [...ids, id].slice(0, HIGH_PAY_NAMED) };
}

/** Says which jobs of a sync have pay that is probably not per hour. Empty without any. */
export function highPayText(counts: { readonly highPay: HighPay } | null): string {
  if (counts === null || counts.highPay.jobs === 0) return '';
  const { jobs, ids } = counts.highPay;
  const named = `${ids.join(', ')}${jobs > ids.length ? ', …' : ''}`;
  return `Pay above ${HIGH_RATE} per hour: ${jobs} ${jobs === 1 ? 'job' : 'jobs'} (${named}). Pay is per hour: divide a salary by its hours.`;
}
