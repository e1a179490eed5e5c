import { randomInt, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { burst } from '../burst.js';
import { compare, inTurn, printHead, type RunSize } from '../compare.js';
import { openDatabases } from '../databases.js';
import { API, createPartners, post } from '../requests.js';
import { fillKeys } from '../spread/filled-keys.js';
import { type CycleOptions, measureCycle } from '../spread/wal-cycle.js';
import { startServer } from '../start-server.js';

const CONNECTIONS = 64;
/** As many as the connections, so that a batch has about one submission of each key on both sides. */
const FEW_KEYS = 64;
const FILL = {
  quick: { keys: 300, applications: 4 },
  full: { keys: 20_000, applications: 60 },
} as const;
const CYCLE_BURST_MS = { quick: 300, full: 5_000 } as const;

/** The server's defaults, except for the shared buffers. */
const SETTINGS = { shared_buffers: '1GB' } as const;

/**
 * Submissions spread over many keys on PostgreSQL, against submissions of 64 of these keys: the rate, and the write-ahead
 * log from one checkpoint to the next. Each key has a company and a job of its own, and a quarter of the applications is
 * in the status `received`. Each application has a candidate of its own, so the look-ups by name, e-mail address and phone
 * number cost what they would cost a host.
 */
export async function benchSpread({ rounds, durationMs }: RunSize, only: string): Promise<void> {
  if (!'spread'.includes(only)) return;
  const size = rounds === 1 ? 'quick' : 'full';
  const fill = FILL[size];
  const databases = await openDatabases(SETTINGS);
  const connectionString = await databases.create();
  const partners = await fillKeys(connectionString, fill);
  const server = await startServer('postgres.js', [connectionString, '[]']);
  const few = createPartners(partners.slice(0, FEW_KEYS));
  const many = createPartners(partners);
  const submit = ({ next }: typeof few, ms = durationMs) =>
    burst({
      port: server.port,
      status: 201,
      connections: CONNECTIONS,
      durationMs: ms,
      nextRequest: () => post(`${API}/applications`, next(), createStranger()),
    });

  printHead(`Submissions of ${fill.keys} keys against ${FEW_KEYS} keys on PostgreSQL ${databases.version}`);
  const name = 'submissions';
  const measure = inTurn(
    () => submit(many),
    () => submit(few),
  );
  await compare(
    { name, unit: 'req/s', goal: { atLeast: 0.7 }, warmUpRounds: 2, measure },
    { rounds, durationMs },
  );

  const client = new Client({ connectionString });
  await client.connect();
  console.log('\n| Log for a submission | first burst | last burst | whole cycle | submissions | goal |');
  console.log('|---|---|---|---|---|---|');
  const isWhole = size === 'full';
  const burstMs = CYCLE_BURST_MS[size];
  const printCycle = async (
    label: string,
    of: typeof few,
    goal: string,
    options: Partial<CycleOptions> = {},
  ) => {
    const submitBurst = () => submit(of, burstMs);
    const { first, last, whole, submissions } = await measureCycle({
      client,
      isWhole,
      submitBurst,
      ...options,
    });
    const kilobytes = [first, last, whole].map((bytes) => `${(bytes / 1_000).toFixed(1)} kB`);
    console.log(`| ${[label, ...kilobytes, submissions, goal].join(' | ')} |`);
  };
  await printCycle(`${FEW_KEYS} keys`, few, '', { isWhole: false });
  await printCycle(`${fill.keys} keys`, many, '10 kB');
  await client.query(`alter system set wal_compression = 'pglz'`);
  await client.query('select pg_reload_conf()');
  await printCycle(`${fill.keys} keys, wal_compression = pglz`, many, '');
  await client.query('alter system reset wal_compression');
  await client.query('select pg_reload_conf()');

  await client.end();
  server.stop();
  await databases.close();
}

function createStranger() {
  const lastName = `Name${randomInt(9_000_000)}`;
  return {
    firstName: 'Ada',
    lastName,
    email: `${randomUUID()}@example.org`,
    phone: `+1415${randomInt(1e6, 1e7)}`,
  };
}
