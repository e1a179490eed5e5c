import type { Database } from 'better-sqlite3';
import { type Connection, createConnection } from './connection.js';
import { applySettings, DURABILITY, type Durability } from './settings.js';

/** A connection that writes. */
export interface Writer extends Connection {
  /**
   * Says what the transactions wait for that begin from now on. SQLite refuses to be told inside one.
   *
   * @throws OperatorError `MISCONFIGURED` if it does not hold.
   */
  commitAs(durability: Durability): void;
}

/** Makes a handle a writer's. */
export function createWriter(handle: Database): Writer {
  let held: Durability | null = null;
  return {
    ...createConnection(handle),
    commitAs: (durability) => {
      if (held === durability) return;
      held = null;
      applySettings(handle, [DURABILITY[durability]]);
      held = durability;
    },
  };
}
