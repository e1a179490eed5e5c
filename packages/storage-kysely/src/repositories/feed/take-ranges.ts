import type { Instant, StampRange, StampRequest } from '@partner-hiring/core/ports';
import { inOrder } from '../../in-order.js';
import type { Run } from '../../session.js';
import type { RequestItem, TakeStamps } from './take-stamps.js';

/** The range of each head that was moved; null for one that the statement passed over. */
export async function takeRanges(
  run: Run,
  statement: TakeStamps,
  requests: readonly StampRequest[],
  now: Instant,
): Promise<readonly (StampRange | null)[]> {
  const asked = requests.map(toItem).sort((a, b) => (a.key_id < b.key_id ? -1 : 1));
  const { rows } = await run.batch(statement, asked, { now });
  const heads = inOrder(
    requests.map(({ keyId }) => keyId),
    rows,
    (row) => row.key_id,
    (row) => row.at,
  );
  return requests.map(({ keyId, count }, index) => {
    const head = heads[index] ?? null;
    return head === null ? null : { keyId, first: head - count + 1, count };
  });
}

/** The same where each head is waited for: one that is not there is a bug. */
export async function takeEveryRange(
  run: Run,
  statement: TakeStamps,
  requests: readonly StampRequest[],
  now: Instant,
): Promise<readonly StampRange[]> {
  const ranges = await takeRanges(run, statement, requests, now);
  return ranges.map((range, index) => {
    if (range === null) throw new Error(`There is no feed of ${requests[index]?.keyId}.`);
    return range;
  });
}

function toItem({ keyId, count, withoutEvents = false }: StampRequest): RequestItem {
  return { key_id: keyId, count, for_events: withoutEvents ? 0 : 1 };
}
