import { median, type RunSize } from '../compare.js';
import { type Databases, openDatabases } from '../databases.js';
import { commitToReceipt, quantile } from '../deliveries/latency.js';
import { type Ours, startOnPostgres } from '../deliveries/ours.js';
import { type Queue, startGraphile } from '../deliveries/queues.js';
import { type Receiver, startReceiver } from '../deliveries/receiver.js';
import { createSides, oursOptions, type Shape, type Throughput } from '../deliveries/throughput.js';
import { benchCosts } from './delivery-costs.js';

const IN_FLIGHT = 64;
/** So many times as many endpoints share the same events: leasing an endpoint counts for more. */
const FEW_EVENTS_TIMES = 5;

/** How large a run is. */
interface DeliveriesSize {
  readonly events: number;
  readonly warmUp: number;
  readonly endpoints: number;
  readonly rounds: number;
  /** Pending on the paused endpoint. */
  readonly backlog: number;
  /** How long hanging endpoints are sent to: a whole time-out, so that what hangs once counts once. */
  readonly hangingMs: number;
  readonly hangingEvents: number;
  /** Commits, 50 a second, of which times are taken. */
  readonly commits: number;
}

const FULL: DeliveriesSize = {
  events: 20_000,
  warmUp: 5_000,
  endpoints: 500,
  rounds: 5,
  backlog: 1_000_000,
  hangingMs: 30_000,
  hangingEvents: 150_000,
  commits: 500,
};
const QUICK: DeliveriesSize = {
  events: 1_000,
  warmUp: 500,
  endpoints: 50,
  rounds: 1,
  backlog: 10_000,
  hangingMs: 2_000,
  hangingEvents: 5_000,
  commits: 50,
};

interface Bench {
  readonly size: DeliveriesSize;
  readonly receiver: Receiver;
  readonly postgres: Databases;
  readonly sides: ReturnType<typeof createSides>;
}

/** Deliveries against job queues that post the same, and against undici alone. */
export async function benchDeliveries({ rounds }: RunSize, only: string): Promise<void> {
  const size = { ...(rounds === 1 ? QUICK : FULL), ...roundsFromEnvironment() };
  const receiver = await startReceiver();
  const postgres = await openDatabases();
  const bench: Bench = { size, receiver, postgres, sides: createSides(receiver, postgres) };
  const figures: Readonly<Record<string, () => Promise<void>>> = {
    'one endpoint': () => benchThroughput(bench, 'one endpoint', 1),
    'many endpoints': () => benchThroughput(bench, 'many endpoints', size.endpoints),
    'few events each': () => benchThroughput(bench, 'few events each', FEW_EVENTS_TIMES * size.endpoints),
    'costs to one, PostgreSQL': () => benchCostsTo(bench, 1, 'ours'),
    'costs to many, PostgreSQL': () => benchCostsTo(bench, size.endpoints, 'ours'),
    'costs to one, SQLite': () => benchCostsTo(bench, 1, 'oursOnSqlite'),
    'costs to many, SQLite': () => benchCostsTo(bench, size.endpoints, 'oursOnSqlite'),
    'one in a hundred hanging': () => benchHanging(bench),
    'commit to receipt': () => benchLatency(bench),
    'a backlog beside it': () => benchBacklog(bench),
    'beside one that hangs': () => benchBesideHanging(bench),
  };
  try {
    for (const [name, run] of Object.entries(figures)) if (name.includes(only)) await run();
  } finally {
    receiver.stop();
    await postgres.close();
  }
}

function roundsFromEnvironment(): Partial<DeliveriesSize> {
  const { BENCH_ROUNDS } = process.env;
  return BENCH_ROUNDS === undefined ? {} : { rounds: Number(BENCH_ROUNDS) };
}

/** All sides in turn. */
async function benchThroughput({ size, sides }: Bench, name: string, endpoints: number): Promise<void> {
  const shape: Shape = { endpoints, events: size.events, warmUp: size.warmUp, inFlight: IN_FLIGHT };
  const rounds: Record<string, Throughput>[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    const results: Record<string, Throughput> = {};
    for (const [side, run] of Object.entries(sides)) results[side] = await run(shape);
    rounds.push(results);
  }
  const of = (side: string, what: keyof Throughput) =>
    rounds.map((round) => round[side]?.[what] ?? Number.NaN);
  console.log(`\n${shape.events} events after ${shape.warmUp} to warm up, ${name}, ${IN_FLIGHT} in flight\n`);
  console.log('| Sender | deliveries/s | processor time of each, µs |\n|---|---|---|');
  for (const side of Object.keys(sides)) {
    console.log(
      `| ${side} | ${median(of(side, 'perSecond')).toFixed(0)} | ${median(of(side, 'processorUs')).toFixed(0)} |`,
    );
  }
  const ratio = (side: string, other: string, what: keyof Throughput, goal: string) =>
    printRatio(`${side} to ${other}, ${what}`, of(side, what), of(other, what), goal);
  printRatioHead();
  ratio('ours', 'graphile', 'perSecond', 'at least 10');
  ratio('ours', 'pgBoss', 'perSecond', 'at least 3');
  ratio('ours', 'raw', 'perSecond', 'at least 0.6');
  ratio('oursOnSqlite', 'raw', 'perSecond', 'at least 0.6');
  ratio('ours', 'graphile', 'processorUs', 'at most 0.5');
  ratio('ours', 'pgBoss', 'processorUs', '');
}

/** The price of a delivery and of what is on by default. */
async function benchCostsTo(
  { size, sides }: Bench,
  endpoints: number,
  side: 'ours' | 'oursOnSqlite',
): Promise<void> {
  const shape: Shape = { endpoints, events: size.events, warmUp: size.warmUp, inFlight: IN_FLIGHT };
  await benchCosts(side === 'ours' ? 'PostgreSQL' : 'SQLite', shape, size.rounds, sides[side], sides.raw);
}

/** What healthy endpoints get while one in a hundred hangs, for as long as an attempt may take. */
async function benchHanging({ size, receiver, postgres }: Bench): Promise<void> {
  const paths = Array.from({ length: 100 }, (_, index) => (index === 0 ? 'hang' : String(index)));
  const each = size.hangingEvents / paths.length;
  const run = async (sender: Ours | Queue, fill: () => Promise<void>): Promise<number> => {
    await fill();
    await receiver.expect(Number.POSITIVE_INFINITY);
    await sender.tell({ kind: 'start' });
    await new Promise((resolve) => setTimeout(resolve, size.hangingMs));
    const { answered } = await receiver.report();
    sender.end();
    await receiver.drop();
    return (answered / size.hangingMs) * 1_000;
  };
  const ours: number[] = [];
  const graphile: number[] = [];
  for (let round = 0; round < Math.min(size.rounds, 2); round += 1) {
    const urls = paths.map((path) => receiver.url(path));
    const mine = await startOnPostgres(await postgres.create(), urls, { maxInFlight: IN_FLIGHT });
    ours.push(await run(mine, () => mine.fill(mine.keyIds, each)));
    const theirs = await startGraphile(await postgres.create(), receiver.url('').slice(0, -1), IN_FLIGHT);
    const theirPaths = paths.map((path) => `/${path}`);
    // They come to no more than a few thousand in that time.
    graphile.push(await run(theirs, () => theirs.fill(theirPaths, Math.min(each, 500))));
  }
  console.log(`\nHealthy deliveries a second while one of 100 endpoints hangs, over ${size.hangingMs} ms`);
  printRatioHead();
  printRatio('ours to graphile', ours, graphile, 'at least 8');
}

/** 50 commits a second in the process that also sends. */
async function benchLatency({ size, receiver, postgres }: Bench): Promise<void> {
  const ours = await startOnPostgres(await postgres.create(), [receiver.url('0')], {});
  const graphile = await startGraphile(await postgres.create(), receiver.url('').slice(0, -1), IN_FLIGHT);
  const mine: number[] = [];
  const theirs: number[] = [];
  const order = { count: size.commits, everyMs: 20, key: '0' };
  for (const sender of [ours, graphile]) await sender.tell({ kind: 'start' });
  for (let round = -1; round < size.rounds; round += 1) {
    const [a, b] = [
      await commitToReceipt(ours, receiver, order),
      await commitToReceipt(graphile, receiver, order),
    ];
    if (round < 0) continue;
    mine.push(quantile(a, 0.5));
    theirs.push(quantile(b, 0.5));
  }
  for (const sender of [ours, graphile]) sender.end();
  console.log('\nCommit to receipt at 50 events a second, median in ms (goal for ours: at most 3)');
  printRatioHead();
  printRatio('ours to graphile', mine, theirs, 'at most 1');
}

/** The same work with and without a long log of a paused endpoint beside it. */
async function benchBacklog({ size, receiver, postgres }: Bench): Promise<void> {
  const shape: Shape = { ...size, inFlight: IN_FLIGHT };
  const urls = Array.from({ length: shape.endpoints + 1 }, (_, index) => receiver.url(String(index)));
  const run = async (hasBacklog: boolean): Promise<number> => {
    const ours = await startOnPostgres(await postgres.create(), urls, oursOptions(shape));
    const [paused = '', ...active] = ours.keyIds;
    const pause = "state = 'paused', paused_reason = 'operator', paused_at = 0";
    await ours.run(`update partner_hiring.ph_endpoint set ${pause} where key_id = $1`, [paused]);
    // Written either way: to write so much slows the machine down for a while, whatever becomes of it.
    await ours.fill([paused], size.backlog);
    if (!hasBacklog) await ours.run('truncate partner_hiring.ph_event cascade');
    await ours.fill(active, shape.events / shape.endpoints);
    const { reached } = await receiver.expect(shape.events);
    const startedAt = performance.timeOrigin + performance.now();
    await ours.tell({ kind: 'start' });
    const ms = (await reached) - startedAt;
    await ours.tell({ kind: 'stop' });
    ours.end();
    return (shape.events / ms) * 1_000;
  };
  const [with_, without]: [number[], number[]] = [[], []];
  for (let round = 0; round < size.rounds; round += 1) {
    without.push(await run(false));
    with_.push(await run(true));
  }
  console.log(
    `\n${size.backlog} pending on a paused endpoint beside ${size.endpoints} active ones, deliveries/s`,
  );
  printRatioHead();
  printRatio('with to without', with_, without, 'at least 0.9');
}

/** A healthy endpoint alone, and beside one that hangs with many due. */
async function benchBesideHanging({ size, receiver, postgres }: Bench): Promise<void> {
  const due = Math.min(10_000, size.backlog);
  const run = async (hanging: boolean): Promise<number> => {
    const urls = [receiver.url('0'), receiver.url('hang')];
    const ours = await startOnPostgres(await postgres.create(), urls, {});
    if (hanging) await ours.fill(ours.keyIds.slice(1), due);
    await ours.tell({ kind: 'start' });
    const order = { count: size.commits, everyMs: 20, key: '0' };
    await commitToReceipt(ours, receiver, { ...order, count: Math.ceil(size.commits / 5) });
    const times = await commitToReceipt(ours, receiver, order);
    ours.end();
    await receiver.drop();
    return quantile(times, 0.99);
  };
  const [beside, alone]: [number[], number[]] = [[], []];
  for (let round = 0; round < size.rounds; round += 1) {
    alone.push(await run(false));
    beside.push(await run(true));
  }
  console.log(
    `\nCommit to receipt beside an endpoint that hangs with ${due} due, p99 in ms (goal: under 100)`,
  );
  printRatioHead();
  printRatio('beside to alone', beside, alone, 'at most 1.5');
}

function printRatioHead(): void {
  console.log('\n| What | ours | baseline | ratio | goal |\n|---|---|---|---|---|');
}

/** The medians, and the median of the rounds' ratios with the least and the greatest of them. */
function printRatio(what: string, ours: readonly number[], baseline: readonly number[], goal: string): void {
  const ratios = ours.map((value, round) => value / (baseline[round] ?? Number.NaN));
  const figure = (value: number) => (value < 100 ? value.toFixed(2) : value.toFixed(0));
  const range = `${figure(median(ratios))} (${figure(Math.min(...ratios))} to ${figure(Math.max(...ratios))})`;
  console.log(`| ${what} | ${figure(median(ours))} | ${figure(median(baseline))} | ${range} | ${goal} |`);
}
