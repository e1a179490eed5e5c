import { resolve } from 'node:path';
import { burst } from '../burst.js';
import { compare, printHead, type RunSize, takingTurns } from '../compare.js';
import { type Databases, openDatabases } from '../databases.js';
import { compareShapes } from '../deliveries/compare-shapes.js';
import { startReceiver } from '../deliveries/receiver.js';
import { createSides, type Shape } from '../deliveries/throughput.js';
import { API, createPartners, get, post } from '../requests.js';
import type { BenchPartner } from '../servers/seed.js';
import { type StartedServer, startServer } from '../start-server.js';
import { benchProcessorTime } from './transactions.js';

const CONNECTIONS = 64;
const AT_LEAST = 0.9;
const JOBS = { quick: 100, full: 10_000 } as const;
const EVENTS = { quick: 500, full: 10_000 } as const;

/**
 * This checkout against another one: requests, `jobs.publish`, deliveries, processor time of submissions. Each has
 * a database of its own, and the two work in turn, because separate runs differ by more than what is to be found.
 *
 * @param against - the root of the other checkout, in which the benchmarks are built.
 */
export async function benchEarlier(size: RunSize, only: string, against: string): Promise<void> {
  const theirs = resolve(against, 'test/bench/dist/servers');
  const postgres = await openDatabases();
  const args: Readonly<Record<string, () => Promise<string[]>>> = {
    'sqlite.js': async () => [],
    'postgres.js': async () => [await postgres.create()],
  };
  printHead(`This checkout against ${against}, ${CONNECTIONS} connections`);
  await benchPublishing(size, only, theirs, postgres);
  await benchSending(size, only, theirs, postgres);
  await benchProcessorTime(size, only, theirs, postgres);
  for (const [file, argsOf] of Object.entries(args)) {
    const ours = await startServer(file, await argsOf());
    const earlier = await startServer(file, await argsOf(), theirs);
    const [own, base] = [requestsTo(ours), requestsTo(earlier)];
    for (const name of Object.keys(own) as (keyof typeof own)[]) {
      const title = `${file.replace('.js', '')}: ${name}`;
      if (!title.includes(only)) continue;
      const rate = (port: number, [status, nextRequest]: Expected) =>
        burst({ port, status, nextRequest, connections: CONNECTIONS, durationMs: size.durationMs });
      await compare(
        {
          name: title,
          unit: 'req/s',
          goal: { atLeast: AT_LEAST },
          warmUpRounds: 2,
          measure: takingTurns(
            () => rate(ours.port, own[name]),
            () => rate(earlier.port, base[name]),
          ),
        },
        size,
      );
    }
    ours.stop();
    earlier.stop();
  }
  await postgres.close();
}

/** Jobs per second of one `jobs.publish`. */
async function benchPublishing(
  size: RunSize,
  only: string,
  theirs: string,
  postgres: Databases,
): Promise<void> {
  const count = size.rounds === 1 ? JOBS.quick : JOBS.full;
  for (const name of ['sqlite', 'postgres']) {
    const title = `${name}: ${count} jobs published`;
    if (!title.includes(only)) continue;
    const args = async () => (name === 'postgres' ? [await postgres.create()] : []);
    const ours = await startServer('publishing.js', await args());
    const earlier = await startServer('publishing.js', await args(), theirs);
    const rate = ({ child }: StartedServer) =>
      new Promise<number>((resolve) => {
        child.once('message', ({ ms }: { readonly ms: number }) => resolve((count / ms) * 1_000));
        child.send({ count });
      });
    const measure = takingTurns(
      () => rate(ours),
      () => rate(earlier),
    );
    const goal = { atLeast: AT_LEAST };
    await compare({ name: title, unit: 'jobs/s', goal, warmUpRounds: 2, measure }, size);
    ours.stop();
    earlier.stop();
  }
}

/** Deliveries per second, and the processor time of each, to one endpoint and to many. */
async function benchSending(size: RunSize, only: string, theirs: string, postgres: Databases): Promise<void> {
  const receiver = await startReceiver();
  const { ours, oursOnSqlite } = createSides(receiver, postgres);
  const events = size.rounds === 1 ? EVENTS.quick : EVENTS.full;
  for (const [name, side] of Object.entries({ sqlite: oursOnSqlite, postgres: ours })) {
    for (const endpoints of [1, 500]) {
      const title = `${name}: deliveries, endpoints: ${endpoints}`;
      if (!title.includes(only)) continue;
      const shape: Shape = { endpoints, events, warmUp: events / 2, inFlight: CONNECTIONS };
      await compareShapes(title, side, shape, { ...shape, servers: theirs }, AT_LEAST, size);
    }
  }
  receiver.stop();
}

/** A status, and the requests that must be answered with it. */
type Expected = readonly [status: number, nextRequest: () => string];

/** The requests to a server by name, each with the status that it must be answered with. */
function requestsTo({ message }: StartedServer) {
  const { next, applicationOf } = createPartners(message.partners as readonly BenchPartner[]);
  const readOne = () => {
    const partner = next();
    return get(`${API}/applications/${applicationOf(partner)}`, partner.secret);
  };
  const page = (path: string) => () => get(`${API}/${path}`, next().secret);
  return {
    'GET /applications/{id}': [200, readOne],
    'POST /applications': [201, () => post(`${API}/applications`, next())],
    'GET /applications': [200, page('applications')],
    'GET /jobs': [200, page('jobs')],
  } satisfies Record<string, Expected>;
}
