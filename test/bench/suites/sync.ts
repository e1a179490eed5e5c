import { compare, median, printHead, type RunSize } from '../compare.js';
import { type Databases, openDatabases } from '../databases.js';
import { load } from '../load.js';
import { API, createPartners, get, post } from '../requests.js';
import type { BenchPartner } from '../servers/seed.js';
import type { SyncAnswer, SyncOrder } from '../servers/syncing.js';
import { type StartedServer, startServer } from '../start-server.js';
import { countChanges, type Platform, readSource, type SourceState } from '../sync/platform.js';
import { openPostgresSides, openSqliteSides, type Side } from '../sync/sides.js';

const PLATFORM = {
  quick: { jobs: 1_200, companies: 40, keys: 6 },
  full: { jobs: 20_000, companies: 500, keys: 30 },
} as const;
const LARGE: Platform = { jobs: 200_000, companies: 5_000, keys: 300 };

/** Of `GET /jobs`, and as many of `POST /applications`. Few, so that the latency is not that of a queue. */
const CONNECTIONS = 2;
/** A burst has to see several commits of the sync. */
const SHORTEST_MS = 600;
const SECOND_MS = 1_000;
const MEGABYTE = 1_000_000;

type StorageName = 'sqlite' | 'postgres';

/**
 * `jobs.syncs.run` on both storages: against a program by hand that writes the same rows with the same driver, how long runs
 * take, what other partners notice of them, and a platform of 200,000 jobs.
 */
export async function benchSync(size: RunSize, only: string): Promise<void> {
  const databases = await openDatabases();
  const isQuick = size.rounds === 1;
  const platform = isQuick ? PLATFORM.quick : PLATFORM.full;
  const storages: readonly StorageName[] = ['sqlite', 'postgres'];
  const asked = (part: string) => storages.filter((name) => `${name}, ${part}`.includes(only));

  printHead(
    `${platform.jobs} jobs, each visible to three of ${platform.keys} keys, against a program by hand`,
  );
  const figures: Figure[] = [];
  for (const name of asked('rows')) figures.push(...(await benchRows(name, platform, databases, size)));
  printFigures('Medians of the runs above, and of runs that change nothing', figures);
  printHead(`The 99th percentile of other partners beside a sync, ${CONNECTIONS} connections each`);
  for (const name of asked('others')) await benchOthers(name, platform, databases, size);
  if (!isQuick) {
    const large: Figure[] = [];
    for (const name of asked('large')) large.push(...(await benchLarge(name, databases)));
    printFigures(
      `${LARGE.jobs} jobs of ${LARGE.companies} companies, each visible to three of 300 keys`,
      large,
    );
  }
  await databases.close();
}

async function benchRows(
  name: StorageName,
  platform: Platform,
  databases: Databases,
  size: RunSize,
): Promise<readonly Figure[]> {
  const [ours, byHand] =
    name === 'sqlite' ? await openSqliteSides(platform) : await openPostgresSides(platform, databases);
  const sides = [ours, byHand] as const;
  let isOursFirst = false;
  /** Returns how long each side took. */
  const time = async (state: SourceState) => {
    const times = new Map<Side, number>();
    for (const side of isOursFirst ? sides : sides.toReversed()) {
      times.set(side, await timed(() => side.sync(readSource(platform, state))));
    }
    const [counts, expected] = [await ours.counts(), await byHand.counts()];
    if (counts !== expected) throw new Error(`The rows differ:\n${counts}\n${expected}`);
    return { ours: times.get(ours) ?? Number.NaN, byHand: times.get(byHand) ?? Number.NaN };
  };
  const rates = (rows: number, { ours: own, byHand: other }: Awaited<ReturnType<typeof time>>) => ({
    ours: (rows / own) * SECOND_MS,
    baseline: (rows / other) * SECOND_MS,
  });
  const changes = countChanges(platform);
  /** How long the changes took after each first load. */
  const ofChanges: Awaited<ReturnType<typeof time>>[] = [];
  const loadAndChange = async () => {
    isOursFirst = !isOursFirst;
    for (const side of sides) await side.empty();
    const loaded = await time('base');
    ofChanges.push(await time('changed'));
    return rates(platform.jobs, loaded);
  };
  const goal = { atLeast: 0.7 };
  await compare({ name: `${name}: first load`, unit: 'jobs/s', goal, measure: loadAndChange }, size);
  const measured = ofChanges.values();
  const change = async () => rates(changes, measured.next().value ?? { ours: 0, byHand: 0 });
  await compare(
    { name: `${name}: ${changes} updates and closes`, unit: 'jobs/s', goal, measure: change },
    size,
  );
  const changesMs = ofChanges.map((times) => times.ours);
  const unchangedMs = await timeUnchanged(ours, platform, size);
  for (const side of sides) await side.close();
  return [
    [`${name}: ${changes} updates and closes of ${platform.jobs} jobs`, ms(median(changesMs)), '3 s'],
    [`${name}: ${platform.jobs} unchanged jobs with versions`, ms(unchangedMs), '1 s'],
  ];
}

/** Also proves that a run without changes writes to no job and no feed. */
async function timeUnchanged(side: Side, platform: Platform, { rounds }: RunSize): Promise<number> {
  await side.empty();
  await side.sync(readSource(platform, 'base'));
  await side.watchWrites();
  const before = await side.writes();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push(await timed(() => side.sync(readSource(platform, 'base'))));
  }
  const after = await side.writes();
  if (after !== before) throw new Error(`A run without changes wrote:\n${before}\n${after}`);
  return median(times);
}

async function benchOthers(
  name: StorageName,
  platform: Platform,
  databases: Databases,
  size: RunSize,
): Promise<void> {
  const server = await startSyncing(name, platform, databases);
  await tell(server, { kind: 'run', state: 'base' });
  const { next } = createPartners(server.message.partners as readonly BenchPartner[]);
  const kinds: readonly Kind[] = [
    { name: 'GET /jobs', status: 200, nextRequest: () => get(`${API}/jobs`, next().secret) },
    { name: 'POST /applications', status: 201, nextRequest: () => post(`${API}/applications`, next()) },
  ];
  for (const [index, kind] of kinds.entries()) {
    const calm = async () => {
      const durationMs = Math.max(size.durationMs, SHORTEST_MS);
      const measured = await Promise.all(kinds.map((each) => percentile(server, each, durationMs)));
      return measured[index] ?? Number.NaN;
    };
    const measure = async () => {
      const baseline = await calm();
      await tell(server, { kind: 'start' });
      const ours = await calm();
      const { changed } = await tell(server, { kind: 'stop' });
      if (changed === 0) throw new Error('No job was changed meanwhile.');
      return { ours, baseline };
    };
    const warmUpRounds = size.rounds === 1 ? 0 : 1;
    await compare(
      { name: `${name}: ${kind.name}`, unit: 'µs', goal: { atMost: 2 }, warmUpRounds, measure },
      size,
    );
  }
  server.stop();
}

async function benchLarge(name: StorageName, databases: Databases): Promise<readonly Figure[]> {
  const server = await startSyncing(name, LARGE, databases);
  const first = await tell(server, { kind: 'run', state: 'base' });
  if (first.changed !== LARGE.jobs) throw new Error(`Only ${first.changed} jobs were added.`);
  const second = await tell(server, { kind: 'run', state: 'base' });
  if (second.unchanged !== LARGE.jobs) throw new Error(`Only ${second.unchanged} jobs were unchanged.`);
  server.stop();
  const took = ({ tookMs, processorMs }: SyncAnswer) => `${ms(tookMs)}, ${ms(processorMs)} of the processor`;
  const grew = `${(first.grewBy / MEGABYTE).toFixed(0)} MB`;
  return [
    [`${name}: first load`, took(first), '300 s'],
    [`${name}: memory that it adds`, grew, '150 MB'],
    [`${name}: a run without changes`, took(second), '8 s'],
  ];
}

async function startSyncing(
  name: StorageName,
  platform: Platform,
  databases: Databases,
): Promise<StartedServer> {
  const database = name === 'postgres' ? [await databases.create()] : [];
  return startServer('syncing.js', [JSON.stringify(platform), ...database]);
}

function tell({ child }: StartedServer, order: SyncOrder): Promise<SyncAnswer> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('The process that syncs has ended.'));
    child.once('exit', fail);
    child.once('message', (answer: SyncAnswer) => {
      child.off('exit', fail);
      resolve(answer);
    });
    child.send(order);
  });
}

interface Kind {
  readonly name: string;
  readonly status: number;
  readonly nextRequest: () => string;
}

async function percentile(
  { port }: StartedServer,
  { nextRequest, status }: Kind,
  durationMs: number,
): Promise<number> {
  const { statuses, latenciesUs } = await load({ port, connections: CONNECTIONS, durationMs, nextRequest });
  if (Object.keys(statuses).join() !== String(status)) throw new Error(`Got ${JSON.stringify(statuses)}`);
  const sorted = [...latenciesUs].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function ms(duration: number): string {
  return duration < SECOND_MS ? `${duration.toFixed(0)} ms` : `${(duration / SECOND_MS).toFixed(1)} s`;
}

type Figure = readonly [what: string, figure: string, atMost: string];

function printFigures(title: string, figures: readonly Figure[]): void {
  console.log(`\n${title}\n\n| What | Figure | Goal |\n|---|---|---|`);
  for (const [what, figure, atMost] of figures) console.log(`| ${what} | ${figure} | at most ${atMost} |`);
}
