import { compare, type Pair, printHead, type RunSize } from '../compare.js';
import { openDatabases } from '../databases.js';
import { startReceiver } from '../deliveries/receiver.js';
import { createSides, type Shape, type Side, type Throughput } from '../deliveries/throughput.js';

const IN_FLIGHT = 64;
/** From the most successes of one settlement to one: then each delivery writes a row. */
const ENDPOINTS = { quick: [1, 50, 500], full: [1, 500, 2_500] } as const;
const EVENTS = { quick: 1_000, full: 20_000 } as const;

/** What the evidence of successes costs: deliveries with it against deliveries without, taking turns. */
export async function benchEvidence(size: RunSize, only: string): Promise<void> {
  const isQuick = size.rounds === 1;
  const events = isQuick ? EVENTS.quick : EVENTS.full;
  const receiver = await startReceiver();
  const databases = await openDatabases();
  const { ours, oursOnSqlite } = createSides(receiver, databases);
  const sides: Readonly<Record<string, Side>> = { sqlite: oursOnSqlite, postgres: ours };
  printHead(`${events} deliveries with evidence, and without; ${IN_FLIGHT} in flight`);
  try {
    for (const endpoints of isQuick ? ENDPOINTS.quick : ENDPOINTS.full) {
      for (const [storage, side] of Object.entries(sides)) {
        const name = `${storage}, ${endpoints} endpoints`;
        if (!name.includes(only)) continue;
        await compareSides(name, side, { endpoints, events, warmUp: events / 2, inFlight: IN_FLIGHT }, size);
      }
    }
  } finally {
    receiver.stop();
    await databases.close();
  }
}

async function compareSides(name: string, side: Side, shape: Shape, size: RunSize): Promise<void> {
  const processor: Pair[] = [];
  let round = 0;
  const measureBoth = async () => {
    round += 1;
    const isFirst = round % 2 === 0;
    // Whoever comes first in a round changes, because the second one finds a warmer machine.
    const one = await side({ ...shape, withoutEvidence: !isFirst });
    const other = await side({ ...shape, withoutEvidence: isFirst });
    const [ours, baseline] = isFirst ? [one, other] : [other, one];
    const pairOf = (what: keyof Throughput): Pair => ({ ours: ours[what], baseline: baseline[what] });
    processor.push(pairOf('processorUs'));
    return pairOf('perSecond');
  };
  const rounds = { rounds: Number(process.env.BENCH_ROUNDS ?? size.rounds) };
  const run = { ...size, ...rounds };
  await compare({ name, unit: 'deliveries/s', goal: { atLeast: 0.95 }, measure: measureBoth }, run);
  const next = async (): Promise<Pair> => processor.shift() ?? { ours: Number.NaN, baseline: Number.NaN };
  const unit = 'µs of processor time each';
  await compare({ name: `${name}, processor`, unit, goal: null, measure: next }, run);
}
