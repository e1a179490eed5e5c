import { createHash } from 'node:crypto';

/** Says under which name a connection prepares a statement this time. */
export type NameOf = (connection: object, sql: string) => string;

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
export function createStatementNames(): NameOf {
  const hashes = new Map<string, string>();
  const uses = new WeakMap<object, Map<string, Uses>>();

  function usesOf(connection: object, sql: string): Uses {
    const ofConnection = getOrAdd(uses, connection, () => new Map<string, Uses>());
    return getOrAdd(ofConnection, sql, () => ({ count: 0, plan: 0 }));
  }

  function hashOf(sql: string): string {
    return createHash('sha256').update(sql).digest('base64url').slice(0, 16);
  }

  return (connection, sql) => {
    const used = usesOf(connection, sql);
    used.count += 1;
    if (used.count >= STEP ** (used.plan + 1) && used.plan + 1 < MAX_PLANS) used.plan += 1;
    return `ph_${getOrAdd(hashes, sql, () => hashOf(sql))}_${used.plan}`;
  };
}

interface Uses {
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
