import { randomUUID } from 'node:crypto';
import { burst } from '../burst.js';
import { type Comparison, compare, inTurn, printHead, type RunSize } from '../compare.js';
import { API, createPartners, get, post } from '../requests.js';
import { type BenchPartner, submissionBody } from '../servers/seed.js';
import { startServer } from '../start-server.js';

const CONNECTIONS = 64;

/**
 * Requests per second of each endpoint on SQLite, against a bare Fastify route that returns a constant of
 * the same size.
 */
export async function benchSqlite(size: RunSize, only: string): Promise<void> {
  const ours = await startServer('sqlite.js');
  const { next, applicationOf } = createPartners(ours.message.partners as readonly BenchPartner[]);
  const bare = await startServer('bare.js', await sampleBodies(ours.port, next()));

  function against(
    name: string,
    atLeast: number | null,
    status: number,
    [own, base]: readonly [() => string, () => string],
  ): Comparison {
    const run = (port: number, nextRequest: () => string) =>
      burst({ port, status, nextRequest, connections: CONNECTIONS, durationMs: size.durationMs });
    return {
      name,
      unit: 'req/s',
      goal: atLeast === null ? null : { atLeast },
      measure: inTurn(
        () => run(ours.port, own),
        () => run(bare.port, base),
      ),
    };
  }

  const readOne = () => {
    const partner = next();
    return get(`${API}/applications/${applicationOf(partner)}`, partner.secret);
  };
  const comparisons = [
    against('GET /applications/{id}', 0.5, 200, [readOne, () => get('/application', next().secret)]),
    against('POST /applications (durable)', 0.35, 201, [
      () => post(`${API}/applications`, next()),
      () => post('/applications', next()),
    ]),
    against('GET /applications (page of 50)', null, 200, [
      () => get(`${API}/applications`, next().secret),
      () => get('/applications', next().secret),
    ]),
    against('GET /jobs (page of 50)', null, 200, [
      () => get(`${API}/jobs`, next().secret),
      () => get('/jobs', next().secret),
    ]),
  ];
  printHead(`SQLite against a bare Fastify route, ${CONNECTIONS} connections`);
  for (const each of comparisons.filter(({ name }) => name.includes(only))) await compare(each, size);
  ours.stop();
  bare.stop();
}

/** What ours answers, for the bare server to answer the same: one application, a page of each, a 201. */
async function sampleBodies(port: number, partner: BenchPartner): Promise<readonly string[]> {
  const base = `http://127.0.0.1:${port}${API}`;
  const headers = { authorization: `Bearer ${partner.secret}` };
  const created = await fetch(`${base}/applications`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: submissionBody(partner.jobId, randomUUID()),
  });
  const replies = [
    await fetch(`${base}/applications/${partner.applicationIds[0]}`, { headers }),
    await fetch(`${base}/applications`, { headers }),
    await fetch(`${base}/jobs`, { headers }),
    created,
  ];
  return Promise.all(replies.map(async (reply) => Buffer.from(await reply.arrayBuffer()).toString('base64')));
}
