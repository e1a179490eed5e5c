/**
 * The partner API with a platform whose jobs it keeps in step on request, and with other partners who use the API
 * meanwhile.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPartnerHiring, type Storage, type SyncCounts } from '@partner-hiring/core';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import Fastify from 'fastify';
import { createPlatform, type Platform, readSource, type SourceState } from '../sync/platform.js';
import { announcePort } from './announce-port.js';
import { seedBenchmark } from './seed.js';

/** A run to its end, or runs one after another until the order `stop`. */
export type SyncOrder =
  | { readonly kind: 'run'; readonly state: SourceState }
  | { readonly kind: 'start' | 'stop' };

/** The answer to each order. Times are in milliseconds. */
export interface SyncAnswer {
  readonly tookMs: number;
  readonly processorMs: number;
  /** How much more memory the process had at most during the run, in bytes. */
  readonly grewBy: number;
  readonly changed: number;
  readonly unchanged: number;
}

const [shape = '{}', connectionString] = process.argv.slice(2);
const platform = JSON.parse(shape) as Platform;
const UNREACHED = 1_000_000_000;
const SAMPLE_MS = 50;

const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const storage: Storage<never> =
  connectionString === undefined
    ? await createSqliteStorage({ file: join(folder, 'bench.sqlite') })
    : await createPostgresStorage({ connectionString });
const partnerHiring = createPartnerHiring({
  storage,
  secretKey: '0123456789abcdef'.repeat(4),
  limits: { submit_application: UNREACHED, list_jobs: UNREACHED },
});
const { operator } = partnerHiring;
const partners = await seedBenchmark(partnerHiring);
await createPlatform(partnerHiring, storage, platform);

const NOTHING: SyncAnswer = { tookMs: 0, processorMs: 0, grewBy: 0, changed: 0, unchanged: 0 };

let stopping = new AbortController();
let loop = Promise.resolve(NOTHING);

async function obey(order: SyncOrder): Promise<SyncAnswer> {
  if (order.kind === 'run') return run(order.state);
  if (order.kind === 'start') {
    stopping = new AbortController();
    loop = runUntil(stopping.signal);
    return NOTHING;
  }
  stopping.abort(new Error('The measurement has ended.'));
  return loop;
}

async function run(state: SourceState): Promise<SyncAnswer> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, SAMPLE_MS);
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const counts = await operator.jobs.syncs.run(readSource(platform, state));
  const tookMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(timer);
  return {
    tookMs,
    processorMs: (user + system) / 1_000,
    grewBy: most - before,
    changed: changesIn(counts),
    unchanged: counts.unchanged,
  };
}

/** Switches between the two states of the source until the signal. Returns the sum of the changes. */
async function runUntil(signal: AbortSignal): Promise<SyncAnswer> {
  let changed = 0;
  for (let turn = 0; !signal.aborted; turn += 1) {
    const source = readSource(platform, turn % 2 === 0 ? 'changed' : 'base');
    await operator.jobs.syncs.run(source, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    const { operation } = await operator.jobs.syncs.last();
    changed += operation?.sync ? changesIn(operation.sync) : 0;
  }
  return { ...NOTHING, changed };
}

function changesIn({ added, updated, reopened, closed }: Omit<SyncCounts, 'refused'>): number {
  return added + updated + reopened + closed;
}

process.on('message', (order: SyncOrder) => {
  void obey(order).then((answer) => process.send?.(answer));
});
for (const event of ['disconnect', 'SIGTERM']) process.on(event, () => process.exit());
const app = Fastify();
await app.register(partnerHiringFastify(partnerHiring));
await app.listen({ port: 0, host: '127.0.0.1' });
announcePort(app.server, { partners });
