import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPartnerHiring, type Storage } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { compare, printHead, type RunSize } from '../compare.js';
import { openDatabases } from '../databases.js';
import { API } from '../requests.js';
import type { StartUse } from '../servers/listen-once.js';
import { benchJob } from '../servers/seed.js';
import { startServer } from '../start-server.js';

/** A start takes a fraction of a burst, so that a run has more of them. */
const STARTS_PER_ROUND = 3;
const WARM_UP_ROUNDS = 1;
/** One page. */
const JOBS = 50;

/** An existing database. */
interface Existing {
  readonly name: 'sqlite' | 'postgres';
  readonly address: string;
  readonly secret: string;
}

interface Start extends StartUse {
  readonly firstReplyMs: number;
}

const MEASURES = [
  { what: 'the first reply', unit: 'ms', goal: { atMost: 3 }, of: (start: Start) => start.firstReplyMs },
  { what: 'processor time', unit: 'ms', goal: null, of: (start: Start) => start.processorMs },
  { what: 'memory', unit: 'MB', goal: { atMost: 2 }, of: (start: Start) => start.megabytes },
] as const;

/**
 * Starts of the API with its worker, until the first reply, on a database that exists. The baseline is an Express server
 * with one route, which opens the same database with the same driver.
 */
export async function benchStart(size: RunSize, only: string): Promise<void> {
  const databases = await openDatabases();
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-bench-'));
  const file = join(folder, 'bench.sqlite');
  const connectionString = await databases.create();
  const existing: readonly Existing[] = [
    { name: 'sqlite', address: file, secret: await seed(await createSqliteStorage({ file })) },
    {
      name: 'postgres',
      address: connectionString,
      secret: await seed(await createPostgresStorage({ connectionString })),
    },
  ];
  const rounds = size.rounds === 1 ? 1 : size.rounds * STARTS_PER_ROUND;
  printHead(`Start on SQLite and PostgreSQL ${databases.version}, against an empty Express server`);
  for (const database of existing.filter(({ name }) => name.includes(only))) {
    const pairs = await startInTurn(database, WARM_UP_ROUNDS + rounds);
    for (const { what, unit, goal, of } of MEASURES) {
      const left = [...pairs];
      const measure = async () => {
        const { ours, baseline } = left.shift() as StartPair;
        return { ours: of(ours), baseline: of(baseline) };
      };
      const name = `${database.name}: ${what}`;
      await compare({ name, unit, goal, measure, warmUpRounds: WARM_UP_ROUNDS }, { ...size, rounds });
    }
  }
  await databases.close();
  rmSync(folder, { recursive: true });
}

interface StartPair {
  readonly ours: Start;
  readonly baseline: Start;
}

/** Starts both servers as often, each one first in every second round. */
async function startInTurn(database: Existing, rounds: number): Promise<readonly StartPair[]> {
  const own = () => start(`start-${database.name}.js`, database, `${API}/jobs`);
  const empty = () => start(`empty-${database.name}.js`, database, '/');
  const pairs: StartPair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const early = round % 2 === 0 ? await own() : null;
    const baseline = await empty();
    pairs.push({ ours: early ?? (await own()), baseline });
  }
  return pairs;
}

/** Seeds a page of jobs for a key, and no work for the worker: it would go on beside the first reply. */
async function seed<HostTx>(storage: Storage<HostTx>): Promise<string> {
  const partnerHiring = createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4) });
  const { companies, jobs, partners, keys, access } = partnerHiring.operator;
  const { id: companyId } = await companies.create({ name: 'Bench & Sons', environment: 'production' });
  await jobs.publish(Array.from({ length: JOBS }, (_, index) => benchJob(companyId, index)));
  const { id: partnerId } = await partners.create({ name: 'ATS' });
  const { key, secret } = await keys.issue({ partnerId, environment: 'production' });
  await access.grant({ keyId: key.id, companyId });
  await partnerHiring.close();
  return secret;
}

/** Starts a server, waits for its first reply, and ends it. */
async function start(file: string, { address, secret }: Existing, path: string): Promise<Start> {
  const begunAt = performance.now();
  const { child, port } = await startServer(file, [address]);
  const headers = { authorization: `Bearer ${secret}` };
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  const text = await reply.text();
  const firstReplyMs = performance.now() - begunAt;
  assert.equal(reply.status, 200, text);

  child.send('use');
  const [use] = (await once(child, 'message')) as [StartUse];
  child.disconnect();
  await once(child, 'exit');
  return { ...use, firstReplyMs };
}
