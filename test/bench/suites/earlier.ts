import { resolve } from 'node:path';
import { burst } from '../burst.js';
import { compare, inTurn, printHead, type RunSize } from '../compare.js';
import { openDatabases } from '../databases.js';
import { API, createPartners, get, post } from '../requests.js';
import type { BenchPartner } from '../servers/seed.js';
import { type StartedServer, startServer } from '../start-server.js';

const CONNECTIONS = 64;
const AT_LEAST = 0.9;

/**
 * Requests per second of this checkout against those of another one, each on a database of its own. Both servers stay
 * up and take the load in turn, because separate runs differ by more than what is to be found.
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
          measure: inTurn(
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
