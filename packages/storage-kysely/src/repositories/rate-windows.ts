import type { RateWindowRepository } from '@partner-hiring/core/ports';
import type { Prepare } from '../preparation.js';
import { countsOf, defineCharge, defineRead } from './rate-windows/window-counts.js';
import { prepareWindowSweep } from './rate-windows/window-sweep.js';

/** Fixed windows of requests. */
export const prepareRateWindows: Prepare<RateWindowRepository> = (preparation) => {
  const { now } = preparation;
  const bindSweep = prepareWindowSweep(preparation);
  const charge = defineCharge(preparation);
  const read = defineRead(preparation);

  return (session) => ({
    ...bindSweep(session),
    charge: async (charges) => {
      if (charges.length === 0) return [];
      const asked = charges.map(({ bucketId, cost }) => ({ bucket_id: bucketId, count: cost }));
      const { rows } = await session.writeWithAsyncCommit((run) => run.batch(charge, asked, { now: now() }));
      return countsOf(
        charges.map(({ bucketId }) => bucketId),
        rows,
      );
    },
    read: (bucketIds) =>
      session.read(async (run) => {
        const asked = bucketIds.map((id) => ({ bucket_id: id }));
        const { rows } = await run.batch(read, asked, { now: now() });
        return countsOf(bucketIds, rows);
      }),
  });
};
