import { describeMs } from '../../doctor/checks/words.js';
import { ONE_DAY_MS } from '../../doctor/limits.js';
import { type FoundStatus, LATE_AFTER_MS, type Need, type StatusPart } from '../../report/status-part.js';

/** Operations that do not continue. */
export const operationStatus: StatusPart = { needs: async (found) => [await needOfOperations(found)] };

async function needOfOperations({ operator, status: { at }, running }: FoundStatus): Promise<Need | null> {
  const name = 'operations';
  const stuck = running.find(({ updatedAt }) => at - updatedAt > LATE_AFTER_MS);
  if (stuck !== undefined) {
    return {
      name,
      finding: `The operation ${stuck.id} has not continued for ${describeMs(at - stuck.updatedAt)}.`,
      fix: 'An operation continues as soon as a worker runs.',
    };
  }
  const failing = running.find(({ lastError }) => lastError !== null);
  if (failing !== undefined) {
    return {
      name,
      finding: `The last step of the operation ${failing.id} failed. It is given up after ten in a row.`,
      fix: `Read its error with \`operations show ${failing.id}\`, and fix the cause.`,
    };
  }
  const { items } = await operator.operations.list({ state: 'failed' });
  // A sync that failed is repeated from its start, so only the last one counts.
  const given = items.find(
    ({ plan, finishedAt }) =>
      plan.kind !== 'sync_jobs' && finishedAt !== null && at - finishedAt < ONE_DAY_MS,
  );
  if (given === undefined) return null;
  return {
    name,
    finding: `The operation ${given.id} was given up in the last 24 hours.`,
    fix: `Read its error with \`operations show ${given.id}\`, fix the cause, and start it again.`,
  };
}
