import { type Batcher, type BatcherOptions, createBatcher } from '../batcher.js';
import type { Application } from '../domain/application.js';
import type { KeyId } from '../domain/ids.js';
import type { Repositories } from '../ports/storage.js';

/** Reads a key's own applications by id, where admission has not: one statement for all that came in together. */
export function createReadApplications(
  { applications }: Repositories,
  options: Partial<BatcherOptions>,
): Batcher<{ readonly keyId: KeyId; readonly id: string }, Application | null> {
  return createBatcher((calls) => applications.findOwned(calls), options);
}
