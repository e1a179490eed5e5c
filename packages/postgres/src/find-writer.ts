import { StorageUnavailable } from '@partner-hiring/core';
import pg, { type ClientBase } from 'pg';
import type { Hosts, ServerRole } from './hosts.js';
import { createSend } from './query.js';

/** Selects text, because the host may have set parsers for other column types. */
const ASK =
  "select case when pg_catalog.pg_is_in_recovery() then 'standby' when pg_catalog.current_setting('transaction_read_only') = 'on' " +
  "then 'read_only' else 'writer' end as answer";

/**
 * Returns the address of a server that has the role. Asks all servers at the same time, because one that is
 * down may never answer.
 * @throws StorageUnavailable if no server has the role.
 */
export async function findWriter({ addresses, role }: Hosts, withinMs: number): Promise<string> {
  const [only, ...others] = addresses;
  if (others.length === 0 && role === 'any') return only;
  const asking = addresses.map((address) => ask(address, role, withinMs));
  return Promise.any(asking).catch((error: AggregateError) => {
    const reasons = addresses.map((address, index) => `${nameOf(address)}: ${reasonOf(error.errors[index])}`);
    throw new StorageUnavailable(`${wordsFor(role)} ${reasons.join('; ')}.`, { cause: error.errors[0] });
  });
}

function wordsFor(role: ServerRole): string {
  if (role === 'any') return 'No host of the connection string can be reached.';
  return (
    'No host of the connection string accepts writes. ' +
    'During a failover, wait until a standby is promoted. ' +
    'The answers of the hosts:'
  );
}

async function ask(address: string, role: ServerRole, withinMs: number): Promise<string> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: withinMs,
    fallback_application_name: 'partner-hiring',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await assertRole(client, role, withinMs);
    return address;
  } finally {
    client.end().catch(() => {});
  }
}

export async function assertRole(
  client: Pick<ClientBase, 'query'>,
  role: ServerRole,
  withinMs: number,
): Promise<void> {
  if (role === 'any') return;
  const { rows } = await createSend({ prepared: false, statementMs: withinMs })(client, ASK, []);
  const { answer } = rows[0] as { readonly answer: 'standby' | 'read_only' | 'writer' };
  if (answer === 'standby') throw new Error('it is a standby');
  if (answer === 'read_only' && role === 'read-write') throw new Error(READ_ONLY);
}

const READ_ONLY = '`default_transaction_read_only` is on for the role, the database or the server';

function nameOf(address: string): string {
  const { host, port } = new pg.Client({ connectionString: address });
  return `${host}:${port}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
