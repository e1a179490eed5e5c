import type { SubmissionRecord } from '../submission-store.js';
import { pendingFor } from './pending-for.js';

/** Asks the store about a submission, which stays pending where the store fails. */
export async function unlessStoreFails<Result>(
  record: SubmissionRecord,
  failure: string,
  ask: () => Promise<Result>,
): Promise<Result> {
  try {
    return await ask();
  } catch (cause) {
    throw pendingFor(record, new Error(failure, { cause }));
  }
}
