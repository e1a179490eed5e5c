import { printHead, type RunSize } from '../compare.js';
import { openDatabases } from '../databases.js';
import { compareShapes } from '../deliveries/compare-shapes.js';
import { startReceiver } from '../deliveries/receiver.js';
import { createSides, type Shape, type Side } from '../deliveries/throughput.js';

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
        const shape: Shape = { endpoints, events, warmUp: events / 2, inFlight: IN_FLIGHT };
        const without: Shape = { ...shape, without: ['evidence'] };
        const run = { ...size, rounds: Number(process.env.BENCH_ROUNDS ?? size.rounds) };
        await compareShapes(name, side, shape, without, 0.95, run);
      }
    }
  } finally {
    receiver.stop();
    await databases.close();
  }
}
