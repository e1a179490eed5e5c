import { burst } from '../burst.js';
import { compare, inTurn, printHead, type RunSize } from '../compare.js';
import { type Databases, openDatabases } from '../databases.js';
import { API, createPartners, get, post } from '../requests.js';
import type { BenchPartner } from '../servers/seed.js';
import { type StartedServer, startServer } from '../start-server.js';

const CONNECTIONS = 64;

/** What the request log costs: submissions and reads with it, against the same without it. */
export async function benchRequests(size: RunSize, only: string): Promise<void> {
  const databases = await openDatabases();
  printHead(`Requests with and without the request log, ${CONNECTIONS} connections`);
  for (const file of ['sqlite.js', 'postgres.js']) await benchStorage(file, databases, size, only);
  await databases.close();
}

async function benchStorage(file: string, databases: Databases, size: RunSize, only: string): Promise<void> {
  const name = file.replace('.js', '');
  const kinds = [
    ['submissions', 201, (server: StartedServer) => submissionsTo(server)],
    ['reads of one application', 200, (server: StartedServer) => readsOf(server, 'one')],
    ['reads of a list', 200, (server: StartedServer) => readsOf(server, 'list')],
  ] as const;
  const chosen = kinds.filter(([kind]) => `${name}: ${kind}`.includes(only));
  if (chosen.length === 0) return;
  const args = async () => (file === 'postgres.js' ? [await databases.create()] : []);
  const on = await startServer(file, await args());
  process.env.BENCH_REQUEST_LOG = 'off';
  const off = await startServer(file, await args());
  delete process.env.BENCH_REQUEST_LOG;
  for (const [kind, status, requestsTo] of chosen) {
    const rateOf = (server: StartedServer) => {
      const nextRequest = requestsTo(server);
      const { port } = server;
      return () =>
        burst({ port, status, nextRequest, connections: CONNECTIONS, durationMs: size.durationMs });
    };
    const measure = inTurn(rateOf(on), rateOf(off));
    const goal = { atLeast: 0.95 };
    await compare({ name: `${name}: ${kind}`, unit: 'req/s', goal, warmUpRounds: 2, measure }, size);
  }
  for (const server of [on, off]) server.stop();
}

function submissionsTo(server: StartedServer): () => string {
  const { next } = createPartners(server.message.partners as readonly BenchPartner[]);
  return () => post(`${API}/applications`, next());
}

function readsOf(server: StartedServer, what: 'one' | 'list'): () => string {
  const { next, applicationOf } = createPartners(server.message.partners as readonly BenchPartner[]);
  return () => {
    const partner = next();
    const path = what === 'one' ? `/applications/${applicationOf(partner)}` : '/jobs';
    return get(`${API}${path}`, partner.secret);
  };
}
