import type { Storage } from '@partner-hiring/core/ports';
import { createKyselyStorage, type Dialect, type Execute } from '@partner-hiring/storage-kysely';

/** A storage that explains statements instead of running them. */
export function createExplainedStorage(dialect: Dialect, explain: Execute): Storage<never> {
  return createKyselyStorage<never>(dialect, {
    read: (work) => work(explain),
    write: (work) => work({ execute: explain, executeEarly: explain, executeLast: explain }),
    writeWithAsyncCommit: (work) => work(explain),
    adopt: () => explain,
    now: () => 0,
    close: async () => {},
  });
}
