import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../../examples/platform/database/embedded-postgres.js';
import { type DebianServer, runProgram, startServer } from './debian-postgres.js';

/** Whether the promoted server takes writes before it has a standby again, as most cluster managers have it. */
export type Promotion = 'at_once' | 'with_a_standby';

/** A primary and its synchronous standby, which change roles. */
export interface ServerPair {
  /** Names both servers. */
  readonly url: string;
  readonly primary: DebianServer;
  readonly standby: DebianServer;
  /** Loses the primary and promotes the standby. Resolves as soon as that accepts writes. */
  failOver(promotion: Promotion): Promise<void>;
  /** Builds a new standby where the lost server was. Resolves once it has all that is committed, and is synchronous. */
  rebuild(): Promise<void>;
  close(): Promise<void>;
}

const SYNCHRONOUS_MS = 60_000;

/** Starts a primary and its standby on ports of loopback that stay the same. */
export async function startServerPair(): Promise<ServerPair> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-hiring-failover-'));
  // The servers' own user makes its folders there.
  await chmod(folder, 0o777);
  const places = [
    { data: join(folder, 'a'), port: await freePort() },
    { data: join(folder, 'b'), port: await freePort() },
  ] as const;
  let [here, there] = [places[0], places[1]];

  await runProgram('initdb', ['-D', here.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale']);
  let primary = await startServer(here.data, here.port);
  let standby = await startStandby();
  await makeSynchronous();

  async function startStandby(): Promise<DebianServer> {
    const from = ['-h', '127.0.0.1', '-p', String(here.port), '-U', 'postgres'];
    await runProgram('pg_basebackup', [...from, '-D', there.data, '-R', '-c', 'fast', '-X', 'stream']);
    return startServer(there.data, there.port);
  }

  async function makeSynchronous(): Promise<void> {
    await setStandbys(primary, '*');
    const isSynchronous =
      "select 1 from pg_stat_replication where sync_state = 'sync' and flush_lsn >= pg_current_wal_flush_lsn()";
    for (const deadline = performance.now() + SYNCHRONOUS_MS; ; await setTimeout(20)) {
      if ((await ask(primary, isSynchronous)).length > 0) return;
      if (performance.now() > deadline) throw new Error('The standby does not catch up.');
    }
  }

  return {
    url: `postgres://postgres@${places.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`,
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    failOver: async (promotion) => {
      await primary.lose();
      if (promotion === 'at_once') await setStandbys(standby, '');
      await ask(standby, 'select pg_promote()');
      primary = standby;
      [here, there] = [there, here];
    },
    rebuild: async () => {
      standby = await startStandby();
      await makeSynchronous();
    },
    close: async () => {
      await Promise.all([primary.lose(), standby.lose()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function setStandbys(server: DebianServer, names: string): Promise<void> {
  await ask(server, `alter system set synchronous_standby_names = '${names}'`);
  await ask(server, 'select pg_reload_conf()');
}

/** Runs a statement on that very server. */
async function ask(server: DebianServer, statement: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: server.url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
