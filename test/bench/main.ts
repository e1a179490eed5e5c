/**
 * Requests per second of each endpoint on SQLite, as a ratio against a bare Fastify route that returns a
 * constant of the same size. One run, the two alternating, 64 connections; the median of the rounds.
 *
 * `npm run bench` takes the full figures, `npm run bench -- --quick` shows that the benchmark works, and
 * `--only=POST` measures only the endpoints with that in their name.
 */
import { randomUUID } from 'node:crypto';
import { cpus } from 'node:os';
import { type LoadResult, load } from './load.js';
import { type BenchPartner, submissionBody } from './servers/seed.js';
import { startServer } from './start-server.js';

const quick = process.argv.includes('--quick');
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length) ?? '';
const ROUNDS = quick ? 1 : 7;
const DURATION_MS = quick ? 300 : 2_500;
const CONNECTIONS = 64;
const API = '/api/v1/external';

interface Case {
  readonly name: string;
  /** The ratio that this project holds itself to; null where none is set. */
  readonly goal: number | null;
  readonly status: number;
  readonly ours: () => string;
  readonly bare: () => string;
}

const ours = await startServer('sqlite.js');
const partners = ours.message.partners as readonly BenchPartner[];
let turn = 0;
const nextPartner = () => {
  turn += 1;
  return partners[turn % partners.length] as BenchPartner;
};
const get = (path: string, secret: string) =>
  `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${secret}\r\n\r\n`;
const post = (path: string, { secret, jobId }: BenchPartner) => {
  const body = submissionBody(jobId, randomUUID());
  return (
    `POST ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n` +
    `Idempotency-Key: ${randomUUID()}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
};
const anApplication = (partner: BenchPartner) =>
  partner.applicationIds[turn % partner.applicationIds.length] as string;

const bare = await startServer('bare.js', await sampleBodies());
const cases: readonly Case[] = [
  {
    name: 'GET /applications/{id}',
    goal: 0.5,
    status: 200,
    ours: () => {
      const partner = nextPartner();
      return get(`${API}/applications/${anApplication(partner)}`, partner.secret);
    },
    bare: () => get('/application', nextPartner().secret),
  },
  {
    name: 'POST /applications (durable)',
    goal: 0.35,
    status: 201,
    ours: () => post(`${API}/applications`, nextPartner()),
    bare: () => post('/applications', nextPartner()),
  },
  {
    name: 'GET /applications (page of 50)',
    goal: null,
    status: 200,
    ours: () => get(`${API}/applications`, nextPartner().secret),
    bare: () => get('/applications', nextPartner().secret),
  },
  {
    name: 'GET /jobs (page of 50)',
    goal: null,
    status: 200,
    ours: () => get(`${API}/jobs`, nextPartner().secret),
    bare: () => get('/jobs', nextPartner().secret),
  },
];

console.log(
  `Node ${process.version}, ${cpus().length} cores, ${CONNECTIONS} connections, ${ROUNDS} rounds\n`,
);
console.log('| Endpoint | ours, req/s | bare Fastify, req/s | ratio | goal |\n|---|---|---|---|---|');
for (const each of cases.filter(({ name }) => name.includes(only))) console.log(await measure(each));
ours.stop();
bare.stop();

async function measure({ name, goal, status, ours: own, bare: base }: Case): Promise<string> {
  const rounds: { own: number; base: number }[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const pair = { own: await burst(ours.port, own, status), base: await burst(bare.port, base, status) };
    if (round >= 0) rounds.push(pair);
  }
  const ratio = median(rounds.map((pair) => pair.own / pair.base));
  const cells = [
    name,
    median(rounds.map((pair) => pair.own)).toFixed(0),
    median(rounds.map((pair) => pair.base)).toFixed(0),
    ratio.toFixed(2),
    goal === null ? '' : `${goal}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

async function burst(port: number, nextRequest: () => string, status: number): Promise<number> {
  const result: LoadResult = await load({
    port,
    connections: CONNECTIONS,
    durationMs: DURATION_MS,
    nextRequest,
  });
  const seen = Object.keys(result.statuses);
  if (seen.length !== 1 || seen[0] !== String(status)) {
    throw new Error(`Expected only ${status}, got ${JSON.stringify(result.statuses)}`);
  }
  return result.requestsPerSecond;
}

/** What ours answers, for the bare server to answer the same: one application, a page, a 201. */
async function sampleBodies(): Promise<readonly string[]> {
  const partner = nextPartner();
  const base = `http://127.0.0.1:${ours.port}${API}`;
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

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
