import { createHash } from 'node:crypto';

/** The names under which connections prepare statements. */
export interface StatementNames {
  /** That of a statement this time. */
  nameOf(connection: object, sql: string): string;
  /** The server can no longer use what the connection prepared: from now on all is prepared under other names. */
  renew(connection: object): void;
  /**
   * The server has refused to prepare the statement: its next run has another name. PgBouncer 1.21 and newer keep the name,
   * and close the connection of a client that prepares it again.
   */
  renewOne(connection: object, sql: string): void;
}

/** How much more often a statement has run when it is planned anew. */
const STEP = 4;
/** So many times and no more: by then the server has gathered statistics, and plans anew whenever they change. */
const MAX_PLANS = 7;

/**
 * Names statements by a hash: their texts are few and constant.
 *
 * A server plans a prepared statement for the tables as they are, and keeps to that until it gathers statistics, a
 * minute later or more. What is right for an empty table then reads thousands of rows for each look-up in one that
 * is filling. So a statement gets another name, and with it a plan for the tables as they are by then, when it has
 * run four times as often on its connection.
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

/** What a connection has prepared. */
interface Prepared {
  readonly renewals: number;
  readonly uses: Map<string, Uses>;
}

interface Uses {
  /** How often names of the connection were renewed before the statement first ran under this name. */
  readonly renewals: number;
  count: number;
  /** How often it was planned anew. */
  plan: number;
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
