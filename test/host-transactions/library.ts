import type { InboxItem, PartnerHiringOptions } from '@partner-hiring/core';

/** The host's table in all tests: `hire (id text primary key)`. */
export interface HireRow {
  id: string;
}

/** A transaction that a library has begun. */
export interface HostWork<HostTx> {
  /** What the host passes to `operator.within`. */
  readonly hostTx: HostTx;
  /** Adds a row with the library. Fails if it exists. */
  insert(id: string): Promise<unknown>;
  /** Runs a statement without rows, as it is. */
  run(text: string): Promise<unknown>;
  /** Runs work in a savepoint. Missing if the library has none. */
  nested?(work: (inner: HostWork<HostTx>) => Promise<void>): Promise<unknown>;
}

/** A library that is connected to the storage's database. */
export interface OpenLibrary<HostTx> {
  transaction(work: (tx: HostWork<HostTx>) => Promise<void>): PromiseLike<unknown>;
  /** What is wrong, and how the host would pass it. The adapter or `within` must throw `MISCONFIGURED` with the fix. */
  readonly wrong: readonly (readonly [what: string, pass: () => HostTx])[];
  /** Transactions that are none, which only the first change shows. */
  readonly outside?: readonly (readonly [what: string, hostTx: HostTx])[];
  /**
   * Drops all connections, also in a transaction. For postgres.js, which throws an error that nobody can catch if the
   * server ends a connection: https://github.com/porsager/postgres/issues/1208
   */
  abandon?(): Promise<unknown>;
  close(): Promise<unknown>;
}

/** The ids to write to the host's table. */
export function idsOf(items: readonly InboxItem[]): HireRow[] {
  return items.map(({ applicationId }) => ({ id: applicationId }));
}

/** The inbox of a host, whatever its library. Only `createPartnerHiring` reads it. */
export type HostInbox<HostTx> = NonNullable<PartnerHiringOptions<HostTx, never, never>['inbox']>;
