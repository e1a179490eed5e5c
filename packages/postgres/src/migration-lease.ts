import { randomUUID } from 'node:crypto';
import type { PoolConnections } from './pool.js';
import { quotedSchema } from './schema-name.js';

/** The server's clock in whole milliseconds. */
export const CLOCK_NOW =
  'pg_catalog.floor(extract(epoch from pg_catalog.clock_timestamp()) * 1000::numeric)::bigint';

const LEASE_MS = 30_000;
const RENEWAL_MS = 5_000;

export const CREATE_LEASE_TABLE = `create table if not exists ph_migration_lease (
  -- Always 1: the table has one row at most.
  id          integer  not null primary key check (id = 1),
  holder      text     not null,
  expires_at  bigint   not null
);`;

export interface MigrationLease {
  /** Returns whether another process may have taken over the migration. */
  isLost(): boolean;
  release(): Promise<void>;
}

/**
 * Takes the migration lease, or returns null while another process holds it. The lease is a row, because a
 * pooler may share a session's advisory locks among clients.
 */
export async function takeMigrationLease(
  connections: PoolConnections,
  schema: string,
): Promise<MigrationLease | null> {
  const table = `${quotedSchema(schema)}.ph_migration_lease`;
  const holder = randomUUID();
  const take =
    `insert into ${table} as lease (id, holder, expires_at) values (1, $1, ${CLOCK_NOW} + ${LEASE_MS}) ` +
    'on conflict (id) do update set holder = excluded.holder, expires_at = excluded.expires_at ' +
    `where lease.holder = excluded.holder or lease.expires_at <= ${CLOCK_NOW} returning holder`;
  const hold = async () => {
    const { rows } = await connections.lend(({ statement }) => statement(take, [holder]));
    return rows.length === 1;
  };
  if (!(await hold())) return null;

  let isLost = false;
  let renewing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    renewing = hold().then(
      (holds) => {
        isLost ||= !holds;
      },
      // A failed renewal is not reported here: if the database stays unreachable, the step itself fails and
      // reports it.
      () => {},
    );
  }, RENEWAL_MS);
  timer.unref();
  return {
    isLost: () => isLost,
    release: async () => {
      clearInterval(timer);
      await renewing;
      await connections.lend(({ statement }) =>
        statement(`delete from ${table} where holder = $1`, [holder]),
      );
    },
  };
}
