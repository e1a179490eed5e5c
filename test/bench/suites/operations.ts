import { compare, inTurn, printHead, type RunSize } from '../compare.js';
import { type Databases, openDatabases } from '../databases.js';
import { load } from '../load.js';
import { API, createPartners, get, post } from '../requests.js';
import type { BenchPartner } from '../servers/seed.js';
import { type StartedServer, startServer } from '../start-server.js';

/** How many applications, or how many companies for the access of all keys. */
const ROWS = {
  erase: { quick: 20_000, full: 250_000 },
  reject: { quick: 20_000, full: 250_000 },
  access: { quick: 20, full: 270 },
} as const;
/** Of submissions, and as many of reads. Few, so that the latency is not that of a queue. */
const CONNECTIONS = 2;
/** Steps of the operation are 50 ms apart. */
const SHORTEST_MS = 1_500;

/**
 * The 99th percentile of submissions and of reads at the same time, while the worker of the process erases 10,000
 * candidates, rejects 10,000 applications, or changes the access of all keys to 270 companies, against the same traffic in
 * calm.
 */
export async function benchOperations(size: RunSize, only: string): Promise<void> {
  const databases = await openDatabases();
  printHead(`The 99th percentile beside an operation, ${CONNECTIONS} connections each`);
  for (const act of ['erase', 'reject', 'access'] as const) {
    for (const name of ['sqlite', 'postgres']) {
      if (`${name}, ${act}`.includes(only)) await benchStorage(name, act, databases, size);
    }
  }
  await databases.close();
}

async function benchStorage(
  name: string,
  act: keyof typeof ROWS,
  databases: Databases,
  size: RunSize,
): Promise<void> {
  const database = name === 'postgres' ? [await databases.create()] : [];
  const rows = ROWS[act][size.rounds === 1 ? 'quick' : 'full'];
  const server = await startServer('operating.js', [act, String(rows), ...database]);
  const { next, applicationOf } = createPartners(server.message.partners as readonly BenchPartner[]);
  const submit = () => post(`${API}/applications`, next());
  const read = () => {
    const partner = next();
    return get(`${API}/applications/${applicationOf(partner)}`, partner.secret);
  };
  const submissions: Kind = { nextRequest: submit, status: 201 };
  const reads: Kind = { nextRequest: read, status: 200 };
  for (const [what, kind, beside] of [
    ['submissions', submissions, reads],
    ['reads', reads, submissions],
  ] as const) {
    const calm = async () => {
      const durationMs = Math.max(size.durationMs, SHORTEST_MS);
      const [measured] = await Promise.all(
        [kind, beside].map((each) => percentile(server, each, durationMs)),
      );
      return measured ?? Number.NaN;
    };
    const during = async () => {
      await order(server, true);
      const measured = await calm();
      const changed = await order(server, false);
      if (changed === 0) throw new Error('Nothing was changed meanwhile.');
      return measured;
    };
    const measure = inTurn(during, calm);
    await compare({ name: `${name}, ${act}: ${what}`, unit: 'µs', goal: { atMost: 2 }, measure }, size);
  }
  server.stop();
}

interface Kind {
  readonly nextRequest: () => string;
  readonly status: number;
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

/** Starts or stops the operation. Returns how many rows were changed since the start. */
function order({ child }: StartedServer, isOn: boolean): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', ({ changed }: { readonly changed: number }) => resolve(changed));
    child.send({ isOn });
  });
}
