import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPartnerHiring, type SourceJob } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import { openPostgresByHand, openSqliteByHand } from '../by-hand/sync-databases.js';
import { syncByHand } from '../by-hand/sync-jobs.js';
import type { Databases } from '../databases.js';
import { createPlatform, type Platform } from './platform.js';

/** A database of the platform, and a program that keeps its jobs in step. */
export interface Side {
  sync(source: Iterable<SourceJob>): Promise<void>;
  /** Removes all jobs and events. */
  empty(): Promise<void>;
  /** Returns how many jobs are open and closed, how many keys see them, and how many events there are, as text. */
  counts(): Promise<string>;
  /** Returns a text that changes with every write to jobs or feeds. Call it only after `watchWrites`. */
  writes(): Promise<string>;
  watchWrites(): Promise<void>;
  close(): Promise<void>;
}

export const SECRET_KEY = '0123456789abcdef'.repeat(4);

/** The settings of the storage. */
const SETTINGS = [
  'synchronous = full',
  'foreign_keys = on',
  'secure_delete = on',
  'wal_autocheckpoint = 20000',
];

const EMPTY = ['ph_event', 'ph_key_job', 'ph_job'].map((table) => `delete from ${table}`);
const COUNTS = `select 'job ' || state as what, count(*) as count from ph_job group by state
  union all select 'key job ' || visible, count(*) from ph_key_job group by visible
  union all select type, count(*) from ph_event group by type order by what`;
const WATCHED = ['ph_job', 'ph_key_job', 'ph_feed_head', 'ph_event'] as const;

/** Opens the library and the program by hand, each on a SQLite file of its own. */
export async function openSqliteSides(platform: Platform): Promise<readonly [ours: Side, byHand: Side]> {
  const open = async (isByHand: boolean): Promise<Side> => {
    const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-bench-'));
    const file = join(folder, 'bench.sqlite');
    const storage = await createSqliteStorage({ file });
    const partnerHiring = createPartnerHiring({ storage, secretKey: SECRET_KEY });
    await createPlatform(partnerHiring, storage, platform);
    const handle = new Sqlite(file);
    for (const setting of SETTINGS) handle.pragma(setting);
    const database = openSqliteByHand(handle);
    return {
      sync: async (source) => {
        if (isByHand) await syncByHand(database, source);
        else await partnerHiring.operator.jobs.syncs.run(source);
      },
      empty: async () => {
        for (const sql of EMPTY) handle.exec(sql);
      },
      counts: async () => JSON.stringify(handle.prepare(COUNTS).all()),
      watchWrites: async () => {
        handle.exec('create table bench_write (what text)');
        for (const table of WATCHED) {
          for (const event of ['insert', 'update', 'delete']) {
            handle.exec(
              `create trigger bench_${table}_${event} after ${event} on ${table}
               begin insert into bench_write values ('${event} ${table}'); end`,
            );
          }
        }
      },
      writes: async () => JSON.stringify(handle.prepare('select what, count(*) from bench_write').all()),
      close: async () => {
        handle.close();
        await partnerHiring.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  };
  return [await open(false), await open(true)];
}

/** Opens the library and the program by hand, each on a PostgreSQL database of its own. */
export async function openPostgresSides(
  platform: Platform,
  databases: Databases,
): Promise<readonly [ours: Side, byHand: Side]> {
  const open = async (isByHand: boolean): Promise<Side> => {
    const connectionString = await databases.create();
    const storage = await createPostgresStorage({ connectionString });
    const partnerHiring = createPartnerHiring({ storage, secretKey: SECRET_KEY });
    await createPlatform(partnerHiring, storage, platform);
    const client = new Client({ connectionString });
    await client.connect();
    await client.query('set search_path = partner_hiring');
    const database = openPostgresByHand(client);
    const read = async (sql: string) => JSON.stringify((await client.query(sql)).rows);
    return {
      sync: async (source) => {
        if (isByHand) await syncByHand(database, source);
        else await partnerHiring.operator.jobs.syncs.run(source);
      },
      empty: async () => {
        await client.query('truncate ph_event, ph_key_job, ph_job cascade');
      },
      counts: () => read(COUNTS),
      watchWrites: async () => {},
      // Each write of a row gives it another xmin.
      writes: () =>
        read(
          WATCHED.map((table) => `select count(*), sum(xmin::text::bigint) from ${table}`).join(
            ' union all ',
          ),
        ),
      close: async () => {
        await client.end();
        await partnerHiring.close();
      },
    };
  };
  return [await open(false), await open(true)];
}
