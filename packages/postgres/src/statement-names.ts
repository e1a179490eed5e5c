import { createHash } from 'node:crypto';

export interface StatementNames {
  nameOf(connection: object, sql: string): string;
  /** Changes all statement names of a connection, after the server lost its prepared statements. */
  renew(connection: object): void;
  /**
   * Changes one statement name, after its `prepare` failed. PgBouncer 1.21+ would disconnect if the same name
   * were prepared again.
   */
  renewOne(connection: object, sql: string): void;
}

const STEP = 4;
/**
 * How many names, and so plans, a statement gets on one connection. The last one comes after 4^6 = 4,096 runs. By then the
 * server has statistics, and it plans again on its own when the statistics change.
 */
const MAX_PLANS = 7;

/**
 * Names prepared statements. PostgreSQL keeps the plan of a prepared statement until it gathers statistics,
 * even a plan made for an empty table. So a statement gets a new name, and with it a new plan, after 4, 16,
 * 64 … runs on a connection.
 */
export function createStatementNames(): StatementNames {
  const hashes = new Map<string, string>();
  const prepared = new WeakMap<object, Prepared>();

  function preparedOn(connection: object): Prepared {
    return getOrAdd(prepared, connection, () => ({ renewals: 0, uses: new Map() }));
  }

  function hashOf(sql: string): string {
    return createHash('sha256').update(sql).digest('base64url').slice(0, 16);
  }

  return {
    nameOf: (connection, sql) => {
      const { renewals, uses } = preparedOn(connection);
      const used = getOrAdd(uses, sql, () => ({ renewals, count: 0, plan: 0 }));
      used.count += 1;
      if (used.count >= STEP ** (used.plan + 1) && used.plan + 1 < MAX_PLANS) used.plan += 1;
      return `ph_${getOrAdd(hashes, sql, () => hashOf(sql))}_${used.renewals * MAX_PLANS + used.plan}`;
    },
    renew: (connection) => {
      const { renewals } = preparedOn(connection);
      prepared.set(connection, { renewals: renewals + 1, uses: new Map() });
    },
    renewOne: (connection, sql) => {
      const { renewals, uses } = preparedOn(connection);
      uses.delete(sql);
      prepared.set(connection, { renewals: renewals + 1, uses });
    },
  };
}

interface Prepared {
  readonly renewals: number;
  readonly uses: Map<string, { readonly renewals: number; count: number; plan: number }>;
}

interface Known<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

function getOrAdd<Key, Value>(known: Known<Key, Value>, key: Key, create: () => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = create();
  known.set(key, value);
  return value;
}
