import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PartnerHiringOptions } from '@partner-hiring/core';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import { type Sender, startSender } from './sender.js';

/** A part of the library that is on by default, and that a benchmark can leave out to know its price. */
export type OptionalPart = 'evidence' | 'request log' | 'counts';

/** What our sender is started with. */
export interface OursArguments {
  readonly database:
    | { readonly kind: 'postgres'; readonly connectionString: string }
    | { readonly kind: 'sqlite'; readonly file: string };
  /** The URL of each endpoint. */
  readonly endpoints: readonly string[];
  readonly worker: NonNullable<PartnerHiringOptions<never>['worker']>;
  readonly without: readonly OptionalPart[];
}

/** Our sender with its database. */
export interface Ours extends Sender {
  readonly keyIds: readonly string[];
  /** Adds events to the logs of those keys. */
  fill(keyIds: readonly string[], each: number): Promise<void>;
  /** Runs one statement of the benchmark's own. */
  run(sql: string, values?: unknown[]): Promise<void>;
}

/** What all senders post. */
export const BODY = JSON.stringify({ id: 'evt', padding: 'x'.repeat(476) });

const FILL = readFileSync(new URL('../deliveries/fill.sql', import.meta.url), 'utf8');

/** Starts ours on a PostgreSQL database. */
export async function startOnPostgres(
  connectionString: string,
  endpoints: readonly string[],
  worker: OursArguments['worker'],
  without: readonly OptionalPart[] = [],
  servers?: string,
): Promise<Ours> {
  const database = { kind: 'postgres', connectionString } as const;
  const sender = await start({ database, endpoints, worker, without }, servers);
  async function run(sql: string, values: unknown[] = []): Promise<void> {
    const client = new Client({ connectionString });
    await client.connect();
    await client.query(sql, values);
    await client.end();
  }
  return {
    ...sender,
    run,
    fill: async (keyIds, each) => {
      await run(FILL, [keyIds, each, BODY]);
      await run('vacuum analyze');
      await run('checkpoint');
    },
  };
}

/** Starts ours on a SQLite file, which ends with it. */
export async function startOnSqlite(
  endpoints: readonly string[],
  worker: OursArguments['worker'],
  without: readonly OptionalPart[] = [],
  servers?: string,
): Promise<Ours> {
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-bench-'));
  const file = join(folder, 'bench.sqlite');
  const sender = await start({ database: { kind: 'sqlite', file }, endpoints, worker, without }, servers);
  const handle = new Sqlite(file);
  return {
    ...sender,
    run: async (sql, values = []) => void handle.prepare(sql).run(...values),
    fill: async (keyIds, each) => {
      const head = handle
        .prepare('update ph_feed_head set at = at + ?, event_at = at + ? where key_id = ? returning at')
        .pluck();
      const insert = handle.prepare(
        'insert into ph_event (key_id, at, id, type, body) values (?, ?, ?, ?, ?)',
      );
      handle.transaction(() => {
        for (const keyId of keyIds) {
          const last = head.get(each, each, keyId) as number;
          for (let at = last - each + 1; at <= last; at += 1) {
            insert.run(keyId, at, `evt_${keyId}${at}`, 'job.opened', BODY);
          }
        }
      })();
    },
    end: () => {
      sender.end();
      handle.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function start(
  args: OursArguments,
  servers?: string,
): Promise<Sender & { readonly keyIds: readonly string[] }> {
  const sender = await startSender('send-ours.js', [JSON.stringify(args)], servers);
  return { ...sender, keyIds: sender.message.keyIds as readonly string[] };
}
