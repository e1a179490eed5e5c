import { storageMisconfiguration } from '@partner-hiring/storage-kysely';
import type { ServerConnection } from './connection.js';
import { isOfServer } from './errors.js';
import type { PoolConnections } from './pool.js';

/** The longest wait for the answers of the check, which need one round trip. */
const ANSWER_MS = 3_000;
/** The second time, because the machine may have been busy. */
const LAST_ANSWER_MS = 6_000;

/**
 * Throws if statements that are sent together do not all get an answer, although they do when sent one at a time. Some
 * poolers release the connection to the server at the first answer, and lose the other answers.
 * @throws OperatorError `MISCONFIGURED` with the option.
 */
export async function assertPipelines(connections: PoolConnections): Promise<void> {
  const together = await connections.lend(async (connection) =>
    connection.isPipelined ? attempt(connection, 'together', ANSWER_MS) : null,
  );
  // An error of the server is an answer too, for example if a pooler in statement mode refuses to begin a transaction.
  if (together === null || isOfServer(together)) return;
  const alone = await connections.lend((connection) => attempt(connection, 'one at a time', ANSWER_MS));
  if (alone !== null) return;
  const again = await connections.lend((connection) => attempt(connection, 'together', LAST_ANSWER_MS));
  if (again === null || isOfServer(again)) return;
  const { isOfHost } = connections.place;
  const option = isOfHost
    ? 'Remove `pipeline: true` from your pool'
    : 'Open the storage with `pipeline: false`';
  throw storageMisconfiguration(
    'When several statements are sent together, the pooler in front of PostgreSQL releases the connection after the first answer, ' +
      `and loses the others. Supavisor and pgdog do so. ${option}, or connect to the server directly.`,
    { cause: together },
  );
}

/** Returns the error, or null if all statements were answered. */
async function attempt(
  connection: ServerConnection,
  how: 'together' | 'one at a time',
  atMostMs: number,
): Promise<unknown> {
  const withinMs = Math.min(atMostMs, connection.commandMs);
  const steps = [
    () => connection.command('begin', withinMs),
    () => select(connection, 1, withinMs),
    () => connection.command('commit', withinMs),
    () => select(connection, 2, withinMs),
  ];
  try {
    if (how === 'together') await Promise.all(steps.map((step) => step()));
    else for (const step of steps) await step();
    return null;
  } catch (error) {
    connection.discard();
    return error;
  }
}

async function select({ client }: ServerConnection, number: number, withinMs: number): Promise<void> {
  const query = { text: 'select $1::int as number', values: [number], query_timeout: withinMs };
  const { rows } = await client.query<{ readonly number: unknown }>(query);
  if (Number(rows[0]?.number) !== number) throw new Error('The answer belongs to another statement.');
}
