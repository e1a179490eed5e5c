import type { Storage } from '@partner-hiring/core';
import { createKyselyStorage, type Dialect, type Execute } from '@partner-hiring/storage-kysely';
import { makeAtOnce } from '../../../storage-kysely/src/statement.js';

/**
 * A storage that explains statements instead of running them. It makes all of them while it opens.
 * @param look - called with each statement, and with each part of a combined statement.
 */
export function createExplainedStorage(
  dialect: Dialect,
  explain: Execute,
  look?: (sql: string) => void,
): Storage<never> {
  return makeAtOnce(() => openExplained(dialect, explain), look);
}

function openExplained(dialect: Dialect, explain: Execute): Storage<never> {
  return createKyselyStorage<never, unknown>(dialect, {
    read: (work) => work(explain),
    write: (work) => work({ execute: explain, executeEarly: explain, executeLast: explain }),
    writeWithAsyncCommit: (work) => work(explain),
    adopt: () => explain,
    openForHost: (work) => work(null, explain),
    runAlone: (work) => work(),
    areWritesExclusive: false,
    now: () => 0,
    close: async () => {},
  });
}
