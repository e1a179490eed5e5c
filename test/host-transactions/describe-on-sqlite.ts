import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteStorage, type SqliteTransaction } from '@partner-hiring/sqlite';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { apply } from '../docs/host.js';
import { describeLibrary } from './describe-library.js';
import { type Database, type Ground, openOnce } from './ground.js';
import type { OpenSqliteLibrary, SqliteLibrary } from './libraries/sqlite-library.js';
import type { HireRow } from './library.js';

/** Creates a file with our tables and the host's. */
async function openSqliteDatabase(): Promise<Database<SqliteTransaction, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-libraries-'));
  const place = join(folder, 'host.sqlite');
  const storage = await createSqliteStorage({ file: place });
  const host = new Sqlite(place);
  host.exec('create table hire (id text primary key)');
  const ids = host.prepare<[], HireRow>('select id from hire');
  return {
    place,
    storage,
    hostRows: async () => ids.all().map(({ id }) => id),
    close: async () => {
      host.close();
      await storage.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a host on SQLite may rely on, whatever library its transaction is of. */
export function describeOnSqlite(adapter: SqliteLibrary): void {
  const opened = openOnce(openSqliteDatabase, adapter.open);
  describeLibrary(adapter.name, opened);

  describe(`${adapter.name}, on SQLite`, () => {
    let ground: Ground<SqliteTransaction, string>;
    let library: OpenSqliteLibrary;
    beforeAll(async () => {
      ({ ground, library } = await opened());
    });

    it('keeps both or neither, wherever the host is killed', async () => {
      const ids = opened.nextIds();
      const images: (readonly [row: boolean, job: boolean])[] = [];
      const crash = () => images.push(afterCrash(ground.place, ids));
      await library.transaction(async (tx) => {
        crash();
        await tx.insert(ids.row);
        crash();
        const commands = ground.operator.within(watched(tx.hostTx, crash));
        await commands.jobs.publish(ground.job(ids.job, 'Cook'));
        crash();
      });
      expect(images.length).toBeGreaterThan(3);
      expect(images.flat()).not.toContain(true);
      expect(afterCrash(ground.place, ids)).toEqual([true, true]);
    });

    it('refuses a transaction on another file', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-other-'));
      const file = join(folder, 'other.sqlite');
      new Sqlite(file).exec('create table hire (id text primary key)').close();
      const other = await adapter.open(file);
      const ids = opened.nextIds();
      const refused = other.transaction(async (tx) => {
        await tx.insert(ids.row);
        await ground.operator.within(tx.hostTx).jobs.publish(ground.job(ids.job, 'Cook'));
      });
      await expect(refused).rejects.toThrow('other.sqlite, but the storage uses');
      expect(await ground.stored(ids)).toEqual([false, false]);
      await other.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it('overwrites what is deleted through its handle', async () => {
      const fresh = await adapter.open(ground.place);
      const { job } = opened.nextIds();
      await fresh.transaction(async ({ hostTx }) => {
        await pragma(hostTx, 'secure_delete = off');
        await ground.operator.within(hostTx).jobs.publish(ground.job(job, 'Cook'));
        expect(await pragma(hostTx, 'secure_delete')).toBe(1);
      });
      await fresh.close();
    });

    it('hands over the inbox in its own transaction, if the library is synchronous', async () => {
      if (library.inbox === undefined) {
        expect(['Kysely', 'Knex', 'TypeORM', 'Prisma']).toContain(adapter.name);
        return;
      }
      const inbox = ground.withInbox(library.inbox);
      const jobId = 'job_inbox';
      await ground.operator.jobs.publish(ground.job(jobId, 'Cook'));
      const send = inbox.fetch;
      const id = await apply('http://localhost/api/v1/external', ground.secret, { jobId, send });
      await inbox.worker.drain();
      expect(await ground.hostRows()).toContain(id);
      expect((await ground.operator.system.status()).inbox).toMatchObject({ unread: 0 });
    });
  });
}

/** Runs a pragma through the library and returns its value. */
async function pragma(hostTx: SqliteTransaction, text: string): Promise<number> {
  if (!('query' in hostTx)) return Number(hostTx.pragma(text, { simple: true }));
  const [row] = await hostTx.query(`pragma ${text}`, []);
  return Number(Object.values(row ?? {})[0]);
}

/** Calls `before` before each statement of ours. */
function watched(hostTx: SqliteTransaction, before: () => void): SqliteTransaction {
  if ('query' in hostTx) {
    const query: typeof hostTx.query = (text, values) => {
      before();
      return hostTx.query(text, values);
    };
    return { ...hostTx, query };
  }
  before();
  return hostTx;
}

/** Returns what the database file has if the process is killed now. */
function afterCrash(
  file: string,
  { row, job }: { readonly row: string; readonly job: string },
): readonly [row: boolean, job: boolean] {
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-crash-'));
  const copy = join(folder, 'copy.sqlite');
  for (const end of ['', '-wal']) if (existsSync(file + end)) copyFileSync(file + end, copy + end);
  const handle = new Sqlite(copy);
  const has = (table: string, id: string) =>
    handle.prepare(`select 1 from ${table} where id = ?`).get(id) !== undefined;
  const found = [has('hire', row), has('ph_job', job)] as const;
  handle.close();
  rmSync(folder, { recursive: true, force: true });
  return found;
}
