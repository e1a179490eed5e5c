import { compare, inTurn, printHead, type RunSize } from '../compare.js';
import { type Databases, openDatabases } from '../databases.js';
import { load } from '../load.js';
import { API, createPartners, get, post } from '../requests.js';
import type { BenchPartner } from '../servers/seed.js';
import { type StartedServer, startServer } from '../start-server.js';

const PEOPLE = { quick: 6_000, full: 100_000 } as const;
/** Of submissions, and as many of reads. Few, so that the latency is not that of a queue. */
const CONNECTIONS = 2;
/** Steps of the operation are 50 ms apart. */
const SHORTEST_MS = 1_500;

/**
 * The 99th percentile of submissions and of reads at the same time, while the process erases many candidates, against
 * the same traffic in calm.
 */
export async function benchErase(size: RunSize, only: string): Promise<void> {
  const databases = await openDatabases();
  const people = size.rounds === 1 ? PEOPLE.quick : PEOPLE.full;
  printHead(`The 99th percentile while ${people} candidates are erased, ${CONNECTIONS} connections each`);
  for (const name of ['sqlite', 'postgres']) {
    if (name.includes(only) || 'erase'.includes(only)) await benchStorage(name, people, databases, size);
  }
  await databases.close();
}

async function benchStorage(
  name: string,
  people: number,
  databases: Databases,
  size: RunSize,
): Promise<void> {
  const database = name === 'postgres' ? [await databases.create()] : [];
  const server = await startServer('erasing.js', [String(people), ...database]);
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
      const erased = await order(server, false);
      if (erased === 0) throw new Error('Nobody was erased meanwhile.');
      return measured;
    };
    const measure = inTurn(during, calm);
    await compare({ name: `${name}, ${what}`, unit: 'µs', goal: { atMost: 2 }, measure }, size);
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

/** Starts or stops erasing. Returns how many candidates were erased since the start. */
function order({ child }: StartedServer, erase: boolean): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', ({ erased }: { readonly erased: number }) => resolve(erased));
    child.send({ erase });
  });
}
