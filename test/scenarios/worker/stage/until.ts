import { settle } from '@partner-hiring/test-support/clock';

/** Lets what needs no time go on until it is so. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000 && !isSo(); turn += 1) await settle(1);
  if (!isSo()) throw new Error('It did not come to be so.');
}
