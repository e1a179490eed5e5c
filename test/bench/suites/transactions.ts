import { type Comparison, compare, printHead, type RunSize, takingTurns } from '../compare.js';
import { type Databases, openDatabases } from '../databases.js';
import type { Transacting } from '../servers/transacting.js';
import { type StartedServer, startServer } from '../start-server.js';

const DATABASES = ['sqlite', 'postgres'] as const;
/** The most processor time of an empty transaction on SQLite. */
const MOST_US = 40;
const EMPTY = { work: 'empty', count: 5_000, inFlight: 1 } as const;

/** The processor time of an empty transaction, against one that the driver begins and commits. */
export async function benchTransactions(size: RunSize, only: string): Promise<void> {
  const postgres = await openDatabases();
  printHead(`Empty transactions on SQLite and PostgreSQL ${postgres.version}, against the driver's`);
  const titleOf = (name: string) => `${name}: an empty transaction`;
  for (const name of DATABASES.filter((each) => titleOf(each).includes(only))) {
    const server = await startServer('transacting.js', await argsOf(name, postgres));
    const measure = takingTurns(
      () => processorTime(server, EMPTY, size),
      () => processorTime(server, { ...EMPTY, work: 'bare' }, size),
    );
    const goal = name === 'sqlite' ? { oursAtMost: MOST_US } : null;
    await compare({ name: titleOf(name), unit: 'µs', goal, measure }, size);
    server.stop();
  }
  await postgres.close();
}

const ASKED: Readonly<Record<string, Transacting>> = {
  'an empty transaction': EMPTY,
  'a lone submission': { work: 'submission', count: 500, inFlight: 1 },
  '32 submissions in flight': { work: 'submission', count: 1_600, inFlight: 32 },
};

/**
 * The same and submissions, against another checkout.
 * @param theirs - the folder of its servers.
 */
export async function benchProcessorTime(
  size: RunSize,
  only: string,
  theirs: string,
  postgres: Databases,
): Promise<void> {
  for (const name of DATABASES) {
    const titleOf = (what: string) => `${name}: processor time of ${what}`;
    const asked = Object.entries(ASKED).filter(([what]) => titleOf(what).includes(only));
    if (asked.length === 0) continue;
    const ours = await startServer('transacting.js', await argsOf(name, postgres));
    const earlier = await startServer('transacting.js', await argsOf(name, postgres), theirs);
    for (const [what, work] of asked) {
      const measure: Comparison['measure'] = takingTurns(
        () => processorTime(ours, work, size),
        () => processorTime(earlier, work, size),
      );
      const goal = { atMost: 1 };
      await compare({ name: titleOf(what), unit: 'µs', goal, warmUpRounds: 2, measure }, size);
    }
    ours.stop();
    earlier.stop();
  }
}

async function argsOf(name: (typeof DATABASES)[number], postgres: Databases): Promise<readonly string[]> {
  return name === 'postgres' ? [await postgres.create()] : [];
}

/** A tenth of the calls is enough to see that the benchmark works. */
function processorTime({ child }: StartedServer, work: Transacting, { rounds }: RunSize): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', ({ us }: { readonly us: number }) => resolve(us));
    child.send(rounds === 1 ? { ...work, count: work.count / 10 } : work);
  });
}
