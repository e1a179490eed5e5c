import type { Execute } from '@partner-hiring/storage-kysely';
import type { ClientBase } from 'pg';

type HostWork<T> = (client: ClientBase, execute: Execute) => Promise<T>;

export interface HostErrorWatch {
  watch<T>(work: HostWork<T>): HostWork<T>;
  /** Whether the work failed with this error, and no statement of the storage did. */
  isOfHost(error: unknown): boolean;
}

/** Tells the errors of the host's own statements in a transaction from those of the storage's statements. */
export function watchHostErrors(): HostErrorWatch {
  const ofStorage = new Set<unknown>();
  const ofWork = new Set<unknown>();
  const noteIn = (errors: Set<unknown>) => (error: unknown) => {
    errors.add(error);
    throw error;
  };
  return {
    watch: (work) => (client, execute) =>
      work(client, (sql, sets) => execute(sql, sets).catch(noteIn(ofStorage))).catch(noteIn(ofWork)),
    isOfHost: (error) => ofWork.has(error) && !ofStorage.has(error),
  };
}
