import { fileURLToPath } from 'node:url';
import { burst } from '../burst.js';
import { type Comparison, compare, inTurn, printHead, type RunSize } from '../compare.js';
import { openDatabases } from '../databases.js';
import type { LoneTarget } from '../lone-client.js';
import { alternatingLatencies, loneLatency } from '../lone-latency.js';
import { API, createPartners, get, post } from '../requests.js';
import type { BenchPartner } from '../servers/seed.js';
import { startServer } from '../start-server.js';
import { countingAgainstRateLimiterFlexible } from './counting.js';

const CONNECTIONS = 64;
const FUNCTIONS = fileURLToPath(new URL('../by-hand/functions.sql', import.meta.url));

/** A lone client makes some hundred requests a round: it takes thousands until a server runs as it does all day. */
const LONE_WARM_UP_ROUNDS = 5;

/** The same request to ours and to the function by hand. */
type LonePair = readonly [LoneTarget, LoneTarget];

/** The API on PostgreSQL against what a developer would write by hand on the same database. */
export async function benchPostgres(size: RunSize, only: string): Promise<void> {
  const postgres = await openDatabases();
  const url = await postgres.create();
  const ours = await startServer('postgres.js', [url]);
  const seeded = ours.message.partners as readonly BenchPartner[];
  const second = await startServer('postgres.js', [url, JSON.stringify(seeded)]);
  const byHand = await startServer('by-hand.js', [url, FUNCTIONS]);
  const { next, applicationOf } = createPartners(seeded);
  const { durationMs } = size;

  const readOf = (path: string) => () => {
    const partner = next();
    return get(`${path}/${applicationOf(partner)}`, partner.secret);
  };
  const postTo = (path: string) => () => post(path, next());
  const ownRead = readOf(`${API}/applications`);
  const submitPost = postTo(`${API}/applications`);
  const crowd = (port: number, status: number, nextRequest: () => string, connections = CONNECTIONS) =>
    burst({ port, status, nextRequest, connections, durationMs });
  const bothProcesses = async (status: number, nextRequest: () => string) => {
    const half = CONNECTIONS / 2;
    const each = [ours, second].map(({ port }) => crowd(port, status, nextRequest, half));
    return (await Promise.all(each)).reduce((sum, rate) => sum + rate, 0);
  };

  const loneRead: LonePair = [
    { port: ours.port, status: 200, nextRequest: ownRead },
    { port: byHand.port, status: 200, nextRequest: readOf('/function') },
  ];
  const lonePost: LonePair = [
    { port: ours.port, status: 201, nextRequest: submitPost },
    { port: byHand.port, status: 201, nextRequest: postTo('/function') },
  ];
  const loneInTurn = ([own, byHandOne]: LonePair) =>
    inTurn(
      () => loneLatency(own, durationMs),
      () => loneLatency(byHandOne, durationMs),
    );

  const counting = countingAgainstRateLimiterFlexible(url, { connections: CONNECTIONS, durationMs });
  const comparisons: readonly Comparison[] = [
    {
      name: 'reading one application, against an unauthenticated point read',
      unit: 'req/s',
      goal: { atLeast: 2 },
      measure: inTurn(
        () => crowd(ours.port, 200, ownRead),
        () => crowd(byHand.port, 200, readOf('/point-read')),
      ),
    },
    {
      name: 'a durable submission, against one transaction of separate statements',
      unit: 'req/s',
      goal: { atLeast: 5 },
      measure: inTurn(
        () => crowd(ours.port, 201, submitPost),
        () => crowd(byHand.port, 201, postTo('/transaction')),
      ),
    },
    counting.comparison,
    {
      name: 'a lone read, against one function call',
      unit: 'µs, median',
      goal: { atMost: 1.2 },
      warmUpRounds: LONE_WARM_UP_ROUNDS,
      measure: loneInTurn(loneRead),
    },
    {
      name: 'a lone submission, against one function call',
      unit: 'µs, median',
      goal: { atMost: 2.3 },
      warmUpRounds: LONE_WARM_UP_ROUNDS,
      measure: loneInTurn(lonePost),
    },
    {
      name: 'a lone read, request by request in turn with the function call',
      unit: 'µs, median',
      goal: { atMost: 1.2 },
      warmUpRounds: LONE_WARM_UP_ROUNDS,
      measure: () => alternatingLatencies(...loneRead, durationMs),
    },
    {
      name: 'a lone submission, request by request in turn with the function call',
      unit: 'µs, median',
      goal: { atMost: 2.3 },
      warmUpRounds: LONE_WARM_UP_ROUNDS,
      measure: () => alternatingLatencies(...lonePost, durationMs),
    },
    {
      name: 'reading one application, two API processes against one',
      unit: 'req/s',
      goal: null,
      measure: inTurn(
        () => bothProcesses(200, ownRead),
        () => crowd(ours.port, 200, ownRead),
      ),
    },
    {
      name: 'a durable submission, two API processes against one',
      unit: 'req/s',
      goal: null,
      measure: inTurn(
        () => bothProcesses(201, submitPost),
        () => crowd(ours.port, 201, submitPost),
      ),
    },
  ];
  printHead(`PostgreSQL ${postgres.version} against work by hand, ${CONNECTIONS} connections`);
  try {
    for (const each of comparisons.filter(({ name }) => name.includes(only))) await compare(each, size);
  } finally {
    for (const server of [ours, second, byHand]) server.stop();
    await counting.close();
    await postgres.close();
  }
}
