import { median, type RunSize } from '../compare.js';
import { openDatabases } from '../databases.js';
import { startReceiver } from '../deliveries/receiver.js';
import { createSides, type Shape, type Side, type Throughput } from '../deliveries/throughput.js';

const IN_FLIGHT = 64;

/** Deliveries against job queues that post the same, and against undici alone. */
export async function benchDeliveries(size: RunSize, only: string): Promise<void> {
  const isQuick = size.rounds === 1;
  const receiver = await startReceiver();
  const postgres = await openDatabases();
  const sides = createSides(receiver, postgres);
  const events = Number(process.env.BENCH_EVENTS ?? (isQuick ? 1_000 : 20_000));
  const rounds = Number(process.env.BENCH_ROUNDS ?? (isQuick ? 1 : 5));
  const shapes: Readonly<Record<string, Shape>> = {
    'one endpoint': { endpoints: 1, events, inFlight: IN_FLIGHT },
    'many endpoints': { endpoints: isQuick ? 50 : 500, events, inFlight: IN_FLIGHT },
  };
  try {
    for (const [name, shape] of Object.entries(shapes)) {
      if (name.includes(only)) await benchThroughput(name, shape, sides, rounds);
    }
  } finally {
    receiver.stop();
    await postgres.close();
  }
}

async function benchThroughput(
  name: string,
  shape: Shape,
  sides: Readonly<Record<string, Side>>,
  rounds: number,
): Promise<void> {
  const picked = (process.env.BENCH_SIDES ?? Object.keys(sides).join()).split(',');
  const results = new Map<string, Throughput[]>(picked.map((side) => [side, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [side, list] of results) {
      const run = sides[side];
      if (run !== undefined) list.push(await run(shape));
    }
  }
  console.log(`\n${shape.events} events, ${name}\n`);
  for (const [side, list] of results) {
    const rates = list.map(({ perSecond }) => perSecond.toFixed(0)).join(' ');
    const used = median(list.map(({ processorUs }) => processorUs)).toFixed(0);
    console.log(
      `${side}: ${median(list.map(({ perSecond }) => perSecond)).toFixed(0)}/s (${rates}), ${used} µs`,
    );
  }
}
