import type { InboxContext, InboxItem, InboxOptions, Storage } from '@partner-hiring/core';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, submission } from '@partner-hiring/test-support/partner';
import { createTestDatabase, type Host, type HostTransaction } from '@partner-hiring/test-support/storages';
import { createRecordingLogger } from '@partner-hiring/test-support/telemetry';
import type { Database } from 'better-sqlite3';
import type { ClientBase } from 'pg';

type Receive = (items: readonly InboxItem[], context: InboxContext<HostTransaction>) => void | Promise<void>;

/** A host with its own table of candidates in the storage's database. */
export type InboxStage = Awaited<ReturnType<typeof openInboxStage>>;

export const isSqlite = process.env.STORAGE !== 'postgres';

export interface InboxStageOptions {
  /** Replaces the default `receive`. */
  readonly receive?: Receive;
  readonly inbox?: (receive: Receive, host: Host) => InboxOptions<HostTransaction, unknown>;
  readonly platform?: Parameters<typeof createFixture>[0];
  /** How many cells the database has on PostgreSQL. */
  readonly cells?: number;
}

export async function openInboxStage(options: InboxStageOptions = {}) {
  const clock = createFakeClock();
  const database = await createTestDatabase(options.cells);
  const table = database.location.kind === 'postgres' ? `${database.location.schema}.candidate` : 'candidate';
  const logger = createRecordingLogger();
  const batches: (readonly InboxItem[])[] = [];
  let fails: (item: InboxItem) => boolean = () => false;
  let statementFor: (item: InboxItem) => string | null = () => null;
  const fixtures: Fixture[] = [];

  const write: Receive = (items, { tx }) => {
    batches.push(items);
    const failing = items.find((item) => fails(item));
    const failure =
      // In other letter case than the partner sent it.
      failing === undefined
        ? null
        : new Error(
            `no place for ${failing.application?.candidate.email.toUpperCase() ?? failing.applicationId}`,
          );
    const statements = items.map(statementFor).filter((each) => each !== null);
    if (isSqlite) {
      writeToSqlite(tx, items);
      for (const each of statements) (tx as Database).prepare(each).all();
      if (failure !== null) throw failure;
      return;
    }
    return writeToPostgres(tx, table, items).then(async () => {
      for (const each of statements) await (tx as ClientBase).query(each);
      if (failure !== null) throw failure;
    });
  };
  const receive = options.receive ?? write;

  async function platform(
    inbox: InboxOptions<HostTransaction, unknown> | null,
    given?: Storage<HostTransaction>,
  ): Promise<Fixture> {
    const storage = given ?? (await database.open(clock));
    const limits = { submit_application: 100_000 };
    const fixture = await createFixture(
      { storage, logger, limits, ...options.platform, ...(inbox === null ? {} : { inbox }) },
      {},
      clock,
    );
    fixtures.push(fixture);
    return fixture;
  }

  await (await database.open(clock)).close();
  const host = await database.host();
  const number = isSqlite ? 'integer primary key autoincrement' : 'bigserial primary key';
  await host.run(`create table candidate (number ${number}, id text unique, kind text, last_name text)`);
  const fixture = await platform(options.inbox?.(receive, host) ?? { receive });
  const partner = await createPartner(fixture);
  const { jobId } = await createEmployer(fixture, partner);

  return {
    clock,
    host,
    /** Another connection of the host. */
    openHost: () => database.host(),
    location: database.location,
    /** The host's table, as statements name it. */
    table,
    /** A platform without the inbox on another storage of the database. */
    platform: (storage: Storage<HostTransaction>) => platform(null, storage),
    logger,
    /** The first platform, with the inbox. */
    fixture,
    partner,
    jobId,
    /** Another platform on the same database, by default without the inbox. */
    another: (inbox?: InboxOptions<HostTransaction, unknown>) => platform(inbox ?? null),
    /** The batches that `receive` got, and may still fail or be rolled back. */
    batches,
    /** Fails `receive` for some items, after it has written them. */
    failFor: (decide: (item: InboxItem) => boolean) => {
      fails = decide;
    },
    /** Lets `receive` also run a statement for some items. */
    alsoRun: (decide: (item: InboxItem) => string | null) => {
      statementFor = decide;
    },
    /** Submits a candidate with this last name. Returns the application's id. */
    submit: async (lastName: string, changes: Readonly<Record<string, unknown>> = {}, by = partner) => {
      const { json } = await by.submit(submission(jobId, { candidate: candidate(lastName), ...changes }));
      return String(json.id);
    },
    /**
     * What the host has committed, in order: kind and last name. The rows of an erased application are deleted; its item is
     * listed with the application's id.
     */
    received: async () => {
      const rows = await host.rows('select kind, last_name from candidate order by number');
      return rows.map((row) => {
        const { kind, last_name: name } = row as { kind: string; last_name: string };
        return kind === 'application.submitted' ? name : `${name} ${kind}`;
      });
    },
    drain: () => fixture.partnerHiring.worker.drain(),
    close: async () => {
      for (const each of fixtures) await each.close();
      await host.run('drop table candidate');
      await host.close();
      await database.remove();
    },
  };
}

export function candidate(lastName: string) {
  return {
    firstName: 'Ada',
    lastName,
    email: `${lastName.toLowerCase()}@example.org`,
    phone: '+14155550123',
  };
}

function rowOf({ id, kind, applicationId, application }: InboxItem): readonly string[] {
  return [id, kind, application?.candidate.lastName ?? applicationId];
}

/** Selects the rows of an application, which may be none. */
function rowsOf({ kind, applicationId }: InboxItem): string | null {
  return kind === 'candidate.erased' ? `${applicationId}.%` : null;
}

function insertInto(table: string, holes: string): string {
  return `insert into ${table} (id, kind, last_name) values (${holes})`;
}

/** Writes to the host's table in the transaction, as a host on SQLite does. */
export function writeToSqlite(tx: HostTransaction, items: readonly InboxItem[]): void {
  for (const item of items) {
    const erased = rowsOf(item);
    if (erased !== null) (tx as Database).prepare('delete from candidate where id like ?').run(erased);
    (tx as Database).prepare(insertInto('candidate', '?, ?, ?')).run(...rowOf(item));
  }
}

/** The same on PostgreSQL. */
export async function writeToPostgres(
  tx: HostTransaction,
  table: string,
  items: readonly InboxItem[],
): Promise<void> {
  for (const item of items) {
    const erased = rowsOf(item);
    if (erased !== null) await (tx as ClientBase).query(`delete from ${table} where id like $1`, [erased]);
    await (tx as ClientBase).query(insertInto(table, '$1, $2, $3'), [...rowOf(item)]);
  }
}

/** Last names of candidates, one for each number. */
export function namesOf(count: number, toName = (index: number) => `Name${index}`): readonly string[] {
  return Array.from({ length: count }, (_, index) => toName(index));
}
