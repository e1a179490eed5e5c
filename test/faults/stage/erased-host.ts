import type { InboxContext, InboxItem } from '@partner-hiring/core';
import { namesOfSchemas } from '@partner-hiring/test-support/postgres/database';
import type { Host, HostTransaction, TestDatabase } from '@partner-hiring/test-support/storages';
import Sqlite, { type Database } from 'better-sqlite3';
import { Client, type ClientBase } from 'pg';

/** A host with a table of candidates, and one with the erasures that it has heard of. */
export interface ErasedHost {
  receive(items: readonly InboxItem[], context: InboxContext<HostTransaction>): void | Promise<void>;
  /** Runs work in a transaction of the host. Null on SQLite: it would block this process, which holds the file's lock elsewhere. */
  readonly transact: (<T>(work: (tx: HostTransaction) => Promise<T>) => Promise<T>) | null;
  candidates(): Promise<readonly string[]>;
  /** The applications of all received erasures, with repetitions, in order. */
  erased(): Promise<readonly string[]>;
  /** All rows of all tables, each with the name of its table. */
  dump(): Promise<readonly string[]>;
  /** Empties the write-ahead log of SQLite. */
  checkpoint(): void;
  remove(): Promise<void>;
}

const INSERT = 'insert into candidate (id, name)';

export async function createErasedHost(database: TestDatabase, host: Host): Promise<ErasedHost> {
  const { location } = database;
  await host.run('create table candidate (id text, name text)');
  await host.run('create table told (id text)');
  const idsOf = async (table: string) => {
    const rows = (await host.rows(`select id from ${table} order by id`)) as readonly {
      readonly id: string;
    }[];
    return rows.map(({ id }) => id).toSorted();
  };
  const common = {
    candidates: () => idsOf('candidate'),
    erased: () => idsOf('told'),
    remove: async () => {
      await host.run('drop table candidate');
      await host.run('drop table told');
    },
  };
  if (location.kind === 'sqlite') return { ...common, ...onSqlite(location.file, host) };
  const { connectionString, schema } = location;
  return {
    ...common,
    checkpoint: () => {},
    receive: async (items, { tx }) => {
      const client = tx as ClientBase;
      for (const { kind, applicationId, application } of items) {
        // Others have their turn, so that erasures come in between.
        await new Promise((resolve) => setImmediate(resolve));
        if (kind === 'application.submitted') {
          const { lastName } = application.candidate;
          await client.query(`${INSERT.replace('into ', `into ${schema}.`)} values ($1, $2)`, [
            applicationId,
            lastName,
          ]);
        }
        if (kind !== 'candidate.erased') continue;
        await client.query(`delete from ${schema}.candidate where id = $1`, [applicationId]);
        await client.query(`insert into ${schema}.told values ($1)`, [applicationId]);
      }
    },
    transact: async (work) => {
      const client = new Client({ connectionString });
      await client.connect();
      try {
        await client.query('begin');
        const result = await work(client);
        await client.query('commit');
        return result;
      } finally {
        await client.end();
      }
    },
    dump: async () => {
      const names = namesOfSchemas(location)
        .map((name) => `'${name}'`)
        .join(', ');
      const tables = (await host.rows(
        `select table_schema as schema, table_name as name from information_schema.tables where table_schema in (${names})`,
      )) as readonly { readonly schema: string; readonly name: string }[];
      const rows: string[] = [];
      for (const { schema: of, name } of tables) {
        const found = await host.rows(`select each::text as row from ${of}.${name} as each`);
        rows.push(...found.map((row) => `${of}.${name} ${JSON.stringify(row)}`));
      }
      return rows;
    },
  };
}

function onSqlite(
  file: string,
  host: Host,
): Pick<ErasedHost, 'receive' | 'transact' | 'dump' | 'checkpoint'> {
  const handle = new Sqlite(file);
  return {
    receive: (items, { tx }) => {
      const database = tx as Database;
      for (const { kind, applicationId, application } of items) {
        if (kind === 'application.submitted')
          database.prepare(`${INSERT} values (?, ?)`).run(applicationId, application.candidate.lastName);
        if (kind !== 'candidate.erased') continue;
        database.prepare('delete from candidate where id = ?').run(applicationId);
        database.prepare('insert into told values (?)').run(applicationId);
      }
    },
    transact: null,
    dump: async () => {
      const tables = (await host.rows("select name from sqlite_master where type = 'table'")) as readonly {
        readonly name: string;
      }[];
      const rows: string[] = [];
      for (const { name } of tables) {
        const found = await host.rows(`select * from "${name}"`);
        rows.push(...found.map((row) => `${name} ${toJson(row)}`));
      }
      return rows;
    },
    checkpoint: () => {
      handle.pragma('wal_checkpoint(truncate)');
    },
  };
}

function toJson(row: unknown): string {
  return JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
