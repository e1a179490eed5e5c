import type { Receiver } from './receiver.js';
import type { Sender } from './sender.js';

/** From commit to receipt, in milliseconds, of the events that one sender commits at a steady rate. */
export async function commitToReceipt(
  sender: Sender,
  receiver: Receiver,
  { count, everyMs, key }: { readonly count: number; readonly everyMs: number; readonly key: string },
): Promise<readonly number[]> {
  await receiver.expect(Number.POSITIVE_INFINITY, true);
  const { marks: committed } = await sender.tell({ kind: 'commit', count, everyMs, key });
  // The last one may still be on its way.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const { marks: received } = await receiver.report();
  const times = Object.entries(committed).map(([mark, at]) => (received[mark] ?? Number.NaN) - at);
  if (times.some(Number.isNaN)) throw new Error('Not all that was committed was received.');
  return times.sort((a, b) => a - b);
}

/** The value below which that share of sorted values lies. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
