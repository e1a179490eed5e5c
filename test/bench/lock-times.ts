import type { Pool, QueryResult } from 'pg';

/** A statement as the storage hands it to `pg`. */
type Query = (query: { readonly text: string }) => Promise<QueryResult>;

/** Measures for how long transactions may hold locks. */
export interface LockTimes {
  /** The times since the last call, in milliseconds. */
  take(): readonly number[];
}

/**
 * Times every transaction on the connections of a pool, from sending its first statement until the answer to its commit.
 * No lock lasts longer. A statement that writes outside a transaction is timed like one.
 */
export function timeLocks(pool: Pool): LockTimes {
  let times: number[] = [];
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as unknown as Query;
    let isOpen = false;
    let startedAt: number | null = null;
    const timed: Query = async (sent) => {
      if (sent.text.startsWith('begin')) isOpen = true;
      else if (isOpen || WRITES.test(sent.text)) startedAt ??= performance.now();
      try {
        return await query(sent);
      } finally {
        if (ENDS.test(sent.text)) isOpen = false;
        if (!isOpen && startedAt !== null) {
          times.push(performance.now() - startedAt);
          startedAt = null;
        }
      }
    };
    Object.assign(client, { query: timed });
  });
  return {
    take: () => {
      const taken = times;
      times = [];
      return taken;
    },
  };
}

const WRITES = /\b(insert into|update|delete from)\b/;
const ENDS = /^(commit|rollback)/;
