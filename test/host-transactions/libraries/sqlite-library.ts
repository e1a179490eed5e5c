import type { SqliteTransaction } from '@partner-hiring/sqlite';
import type { HostInbox, OpenLibrary } from '../library.js';

export interface OpenSqliteLibrary extends OpenLibrary<SqliteTransaction> {
  /** Writes each application to the host's table. Missing for libraries that are asynchronous. */
  readonly inbox?: HostInbox<SqliteTransaction>;
}

export interface SqliteLibrary {
  readonly name: string;
  open(file: string): Promise<OpenSqliteLibrary>;
}

/** Takes the type off an inbox, which it has shown by compiling. */
export function untyped(inbox: unknown): HostInbox<SqliteTransaction> {
  return inbox as HostInbox<SqliteTransaction>;
}
