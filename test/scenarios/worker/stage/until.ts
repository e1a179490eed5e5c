import { settle } from '@partner-hiring/test-support/clock';

/** Runs the event loop, without advancing the clock, until the condition holds. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let count = 0; count < 2_000 && !isSo(); count += 1) await settle(1);
  if (!isSo()) throw new Error('The condition did not become true.');
}
