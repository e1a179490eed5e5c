import type { DeploymentRepository, DisarmedCounts, Instant } from '@partner-hiring/core/ports';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { leaseClock } from '../lease-clock.js';
import type { Preparation, Prepared } from '../preparation.js';
import type { Schema } from '../schema.js';
import { define, type Param } from '../statement.js';

/** What a statement that leases work compares with the deployment of the database. */
export interface SenderParams {
  /** The name of the process's deployment. Empty if it has none. */
  readonly deployment: string;
  /** The path of the file. Empty on a server, which says itself where it is. */
  readonly path: string;
  readonly inode: string;
}

/** Returns the parameters of `maySend`. */
export function senderParams({ fileIdentity }: Preparation, deployment = ''): SenderParams {
  return { deployment, ...fileIdentity };
}

/** Whether a process of this deployment may send what the database has for the outside: 1 or 0. */
export function maySend(preparation: Preparation, param: Param<SenderParams>): RawBuilder<number> {
  const named = ofThis(preparation).select(
    sql<number>`case when ${sql.ref('deployment.name')} = ${param('deployment')} and ${isInPlace(preparation, param)}
      then 1 else 0 end`.as('may_send'),
  );
  return sql<number>`coalesce((${named}), case when ${param('deployment')} = '' then 1 else 0 end)`;
}

/** The row, by its index. */
function ofThis({ queries }: Preparation) {
  return queries.selectFrom('ph_deployment as deployment').where('deployment.id', '=', sql.lit(1));
}

/** Another place only if both the path and the inode of a file differ. */
function isInPlace({ storagePlace }: Preparation, param: Param<Omit<SenderParams, 'deployment'>>) {
  const place = sql`${sql.ref('deployment.place')} = ${storagePlace(param('path'))}`;
  return sql`(${place} or ${sql.ref('deployment.inode')} = ${param('inode')})`;
}

type Place = Omit<SenderParams, 'deployment'>;
type Naming = Place & { readonly name: string; readonly now: Instant };

const ALL = sql<boolean>`true`;

/** A table of a feature that a copy of a database empties, because nothing in it may be sent or used twice. */
export interface EmptiedTable {
  readonly counted: keyof DisarmedCounts;
  readonly table: keyof Schema;
  /** Only these rows. By default, all. */
  readonly where?: RawBuilder<boolean>;
}

export function prepareDeployment(
  preparation: Preparation,
  emptied: readonly EmptiedTable[],
): Prepared<DeploymentRepository> {
  const { queries, now, storagePlace, fileIdentity, storageNow } = preparation;
  const find = define((param: Param<Place>) =>
    ofThis(preparation)
      .select(['deployment.name', 'deployment.named_at'])
      .select(sql<number>`case when ${isInPlace(preparation, param)} then 1 else 0 end`.as('is_in_place')),
  );
  const naming = (param: Param<Naming>) =>
    queries.selectNoFrom([
      sql.lit<number>(1).as('id'),
      sql<string>`${param('name')}`.as('name'),
      sql<Instant>`${storageNow(param('now'))}`.as('named_at'),
      sql<string>`${storagePlace(param('path'))}`.as('place'),
      sql<string | null>`case when ${param('inode')} = '' then null else ${param('inode')} end`.as('inode'),
    ]);
  const insert = () =>
    queries.insertInto('ph_deployment').columns(['id', 'name', 'named_at', 'place', 'inode']);
  const adopt = define((param: Param<Naming>) =>
    insert()
      .expression(
        naming(param).where(({ not, exists }) =>
          not(exists(queries.selectFrom('ph_endpoint').select('key_id'))),
        ),
      )
      .onConflict((conflict) => conflict.column('id').doNothing()),
  );
  const save = define((param: Param<Naming>) => insert().expression(naming(param)));
  const forget = define(() => queries.deleteFrom('ph_deployment'));

  return {
    find: (session) =>
      session.read(async (run) => {
        const row = await run.first(find, fileIdentity);
        if (row === null) return null;
        return { name: row.name, namedAt: row.named_at, isInPlace: row.is_in_place === 1 };
      }),
    adopt: (session, name) =>
      session.write((run) => run.execute(adopt, { name, now: now(), ...fileIdentity })),
    save: (session, name) =>
      session.write(async (run) => {
        await run.execute(forget, {});
        await run.execute(save, { name, now: now(), ...fileIdentity });
      }),
    ...prepareDisarming(preparation, emptied),
  };
}

/** What a copy must not send. Each is a statement, so that a claim of a large copy is one short transaction. */
function prepareDisarming(
  preparation: Preparation,
  emptied: readonly EmptiedTable[],
): Prepared<Pick<DeploymentRepository, 'count' | 'disarm'>> {
  const { queries, now } = preparation;
  const unsent = () =>
    queries
      .selectFrom('ph_event as event')
      .innerJoin('ph_endpoint as endpoint', 'endpoint.key_id', 'event.key_id')
      .whereRef('event.at', '>', 'endpoint.watermark');
  const count = define((param: Param<{ now: Instant }>) =>
    queries.selectNoFrom((eb) => [
      countOf(queries.selectFrom('ph_endpoint')).as('endpoints'),
      eb(
        countOf(queries.selectFrom('ph_delivery').where('state', '=', sql.lit('pending' as const))),
        '+',
        countOf(unsent()),
      ).as('deliveries'),
      ...emptied.map(({ counted, table, where = ALL }) =>
        countOf(queries.selectFrom(table).where(where)).as(counted),
      ),
      countOf(
        queries
          .selectFrom('ph_key_secret')
          .where('revoked_at', 'is', null)
          .where(({ or, eb: where }) =>
            or([
              where('expires_at', 'is', null),
              where('expires_at', '>', leaseClock(preparation, param('now'))),
            ]),
          ),
      ).as('keySecrets'),
    ]),
  );
  const cancelUnsent = define(() =>
    queries
      .insertInto('ph_delivery')
      .columns(['key_id', 'event_id', 'event_at', 'state', 'attempts', 'cycle'])
      .expression(
        unsent().select([
          'event.key_id',
          'event.id',
          'event.at',
          sql.lit('cancelled' as const).as('state'),
          sql.lit(0).as('attempts'),
          sql.lit(1).as('cycle'),
        ]),
      )
      .onConflict((conflict) => conflict.columns(['key_id', 'event_id']).doNothing()),
  );
  const cancelPending = define(() =>
    queries
      .updateTable('ph_delivery')
      .set({ state: sql.lit('cancelled' as const), due_at: null })
      .where('state', '=', sql.lit('pending' as const)),
  );
  const pause = define((param: Param<{ at: Instant }>) =>
    queries
      .updateTable('ph_endpoint')
      .from('ph_feed_head as head')
      .set((eb) => ({
        state: sql.lit('paused' as const),
        paused_reason: sql.lit('copied' as const),
        paused_at: param('at'),
        // Each event up to here has a row now.
        watermark: eb.ref('head.at'),
        gap: null,
        sends_from: eb.lit(0),
        lease_token: null,
        lease_until: eb.lit(0),
      }))
      .where((eb) =>
        eb.or([
          eb('paused_reason', 'is', null),
          eb('paused_reason', '<>', sql.lit('partner_removed' as const)),
        ]),
      ),
  );
  const revoke = define((param: Param<{ at: Instant }>) =>
    queries
      .updateTable('ph_key_secret')
      .set({ revoked_at: param('at') })
      .where('revoked_at', 'is', null),
  );
  const empty = emptied.map(({ table, where = ALL }) => define(() => queries.deleteFrom(table).where(where)));

  return {
    count: (session) =>
      session.read(async (run) => (await run.first(count, { now: now() })) as DisarmedCounts),
    disarm: (session, at, revokesKeys) =>
      session.write(async (run) => {
        await run.execute(cancelUnsent, {});
        await run.execute(cancelPending, {});
        await run.execute(pause, { at });
        for (const statement of empty) await run.execute(statement, {});
        if (revokesKeys) await run.execute(revoke, { at });
      }),
  };
}

/** Counts the rows of a query. */
function countOf<Tables, Names extends keyof Tables>(rows: SelectQueryBuilder<Tables, Names, object>) {
  return rows.select((eb) => eb.fn.countAll<number>().as('count'));
}
