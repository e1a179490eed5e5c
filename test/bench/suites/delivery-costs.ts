import { createHourTally } from '../../../packages/core/src/domain/hour-count.js';
import { median } from '../compare.js';
import type { OptionalPart } from '../deliveries/ours.js';
import type { Shape, Side, Throughput } from '../deliveries/throughput.js';

/** The goal for everything that is on by default. */
const AT_MOST = 2.4;

const VARIANTS: readonly (readonly OptionalPart[])[] = [
  [],
  ['evidence'],
  ['request log'],
  ['counts'],
  ['evidence', 'request log', 'counts'],
];

const RAW = 'raw undici';
const WITH_ALL = 'with all defaults';

/**
 * What a delivery costs in processor time, worker and database together, against undici alone in the same round: with
 * everything that is on by default, and without a part of it.
 */
export async function benchCosts(
  storage: string,
  shape: Shape,
  rounds: number,
  ours: Side,
  raw: Side,
): Promise<void> {
  const figures = new Map<string, Cost[]>([RAW, ...VARIANTS.map(nameOf)].map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const base = await raw(shape);
    figures.get(RAW)?.push({ ...base, ratio: 1 });
    // The order changes, because a machine gets warmer.
    for (const without of round % 2 === 0 ? VARIANTS : VARIANTS.toReversed()) {
      const measured = await ours({ ...shape, without });
      const ratio = measured.processorUs / base.processorUs;
      figures.get(nameOf(without))?.push({ ...measured, ratio });
    }
  }
  const { endpoints, events, inFlight } = shape;
  console.log(
    `\n${storage}: processor time of a delivery, worker and database together, endpoints: ${endpoints}, ` +
      `${events} events, ${inFlight} in flight; ${rounds} rounds\n`,
  );
  console.log(
    '| Sender | µs each | of this, the database | times raw undici | goal |\n|---|---|---|---|---|',
  );
  for (const [name, costs] of figures) {
    const ratios = costs.map(({ ratio }) => ratio);
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    const us = median(costs.map(({ processorUs }) => processorUs)).toFixed(0);
    const database = median(costs.map(({ databaseUs }) => databaseUs)).toFixed(0);
    const goal = name === WITH_ALL ? `at most ${AT_MOST}` : '';
    console.log(`| ${name} | ${us} | ${database} | ${median(ratios).toFixed(2)} (${range}) | ${goal} |`);
  }
  console.log(
    `\nWithout counts, the worker still counts each attempt in memory: ${countingUs(endpoints).toFixed(2)} µs`,
  );
}

interface Cost extends Throughput {
  /** To the processor time of raw undici in the same round. */
  readonly ratio: number;
}

function nameOf(without: readonly OptionalPart[]): string {
  return without.length === 0 ? WITH_ALL : `without ${without.join(', ')}`;
}

const COUNTED = 200_000;

/** Counts attempts as the worker does, and returns the time of one in µs. */
function countingUs(endpoints: number): number {
  const tally = createHourTally();
  const keys = Array.from({ length: endpoints }, (_, index) => `key_${index}` as const);
  const at = Date.now();
  const startedAt = performance.now();
  for (let index = 0; index < COUNTED; index += 1) {
    const keyId = keys[index % endpoints] ?? 'key_0';
    tally.add('attempt', null, 'succeeded', at);
    tally.add('attempt', keyId, 'succeeded', at);
    tally.add('latency', keyId, '50', at);
  }
  return ((performance.now() - startedAt) / COUNTED) * 1_000;
}
