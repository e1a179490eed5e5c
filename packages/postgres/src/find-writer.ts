import { StorageUnavailable } from '@partner-hiring/core';
import pg, { type ClientBase } from 'pg';
import { configOf, type Hosts, type ServerRole } from './connection-string.js';
import { problemOf } from './outages/explain-outage.js';
import { type Place, placeOf, serverOf, waitsWithin } from './outages/place.js';
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
export async function findWriter(
  hosts: Hosts,
  withinMs: number,
  waits = waitsWithin(withinMs),
): Promise<string> {
  const { addresses, role } = hosts;
  const [only, ...others] = addresses;
  if (others.length === 0 && role === 'any') return only;
  const asking = addresses.map((address) => ask(hosts, address, withinMs));
  return Promise.any(asking).catch((error: AggregateError) => {
    const reasons = addresses.map((address, index) =>
      reasonOf(error.errors[index], placeOf(configOf(hosts, address), { isOfHost: false, waits })),
    );
    throw new StorageUnavailable(`${wordsFor(role)} ${reasons.join(' ')}`, { cause: error.errors[0] });
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

async function ask(hosts: Hosts, address: string, withinMs: number): Promise<string> {
  const client = new pg.Client({
    ...configOf(hosts, address),
    connectionTimeoutMillis: withinMs,
    fallback_application_name: 'partner-hiring',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await assertRole(client, hosts.role, withinMs);
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
  if (answer === 'standby') throw new NotWriter('it is a standby');
  if (answer === 'read_only' && role === 'read-write') throw new NotWriter(READ_ONLY);
}

/** A server answers, and does not have the role. */
class NotWriter extends Error {}

const READ_ONLY = '`default_transaction_read_only` is on for the role, the database or the server';

function reasonOf(error: unknown, place: Place): string {
  const server = place.socket ?? serverOf(place.host, place.port);
  if (error instanceof NotWriter) return `${server}: ${error.message}.`;
  const { problem, fix } = problemOf(error, place);
  return `${server}: ${problem}. ${fix}`;
}
