import type { PostgresTransaction } from '@partner-hiring/postgres';
import { Pool } from 'pg';
import type { HostInbox, OpenLibrary } from '../library.js';

/** Where the storage's tables and the host's table are. */
export interface PostgresPlace {
  readonly connectionString: string;
  readonly schema: string;
}

export interface OpenPostgresLibrary extends OpenLibrary<PostgresTransaction> {
  /** Writes each application to the host's table, with the library's own transaction. */
  readonly inbox: HostInbox<PostgresTransaction>;
}

export interface PostgresLibrary {
  readonly name: string;
  open(place: PostgresPlace): Promise<OpenPostgresLibrary>;
}

/** A pool that survives cut connections. */
export function openPool({ connectionString }: PostgresPlace): Pool {
  const pool = new Pool({ connectionString, max: 3 });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Takes the type off an inbox, which it has shown by compiling. */
export function untyped(inbox: unknown): HostInbox<PostgresTransaction> {
  return inbox as HostInbox<PostgresTransaction>;
}
