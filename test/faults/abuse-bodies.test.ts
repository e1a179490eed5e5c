/**
 * Clients that hold back their bodies, or send bodies that the service does not want to read. Decisions 4 and 15: the
 * service answers an exhausted guard and a failed authentication before the body. A body that does not arrive within
 * the deadline ends with its connection. Unfinished bodies take little memory.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RATE_LIMITS } from '../../packages/core/src/domain/rate-limit.js';
import { SECOND_MS } from '../../packages/core/src/domain/time.js';
import type { AbusedServerSettings, Mount } from './abuse-server.js';
import { type AbusedService, openAbusedService } from './stage/abuse/abused-service.js';
import { attackHead } from './stage/abuse/attack-request.js';
import { latenciesInWords, latenciesOf, stallsIn } from './stage/abuse/measure.js';
import { type Outcome, tryAttack } from './stage/abuse/outcome.js';
import { sendHalf } from './stage/abuse/send-half.js';
import type { SlowBodiesTally } from './stage/abuse/slow-bodies.js';
import { createHttpClient } from './stage/http-client.js';
import { inWords, sized } from './stage/size.js';

const MOUNTS = sized<readonly Mount[]>(['fastify', 'express'], ['fastify']);
/** The default in full, and a short one in every test run. */
const BODY_TIMEOUT_MS = sized(30 * SECOND_MS, 2 * SECOND_MS);
const OPTIONS = sized<AbusedServerSettings['options']>({}, { bodyTimeoutMs: BODY_TIMEOUT_MS });
/** How much later than its deadline a busy machine may end a connection. */
const LATE_MS = 3 * SECOND_MS;

/** How much of a body the service may read after its answer, and for how long. */
const DRAIN = { bytes: 64 * 1024, ms: SECOND_MS };
/** What one read of a socket brings. The first read may contain more than the head, the last may exceed the bound. */
const READ_BYTES = 64 * 1024;

const SLOW_BODIES = sized(1_500, 800);
/** Half of them stop there, the others go on with one byte a second. None is complete within the test. */
const SLOW_BODY = { announced: 200_000, sent: 199_000 };
/** Half of what the service takes if it keeps all of these bodies. */
const MAX_GROWTH_BYTES = (SLOW_BODIES * SLOW_BODY.announced) / 2;

function submissionBy(secret: string) {
  return { method: 'POST', path: '/applications', secret, idempotencyKey: 'fresh' } as const;
}

/** The secret of a new key that has exhausted its guard. */
async function exhaustGuard(service: AbusedService): Promise<string> {
  const { secret } = await service.attacker();
  await service.freshWindow();
  const http = createHttpClient();
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const ask = { method: 'POST', url: `${service.url}/applications`, headers, body: '{}' } as const;
  for (let count = 0; count < RATE_LIMITS.guard; count += 1) await http.send(ask);
  expect((await http.send(ask))?.status).toBe(429);
  http.close();
  return secret;
}

async function sendSlowBodies(service: AbusedService): Promise<Outcome> {
  const requests = sized(600, 200);
  const calm = latenciesOf(await service.measure(requests));
  const { secret } = await service.attacker();
  const request = submissionBy(secret);
  const { rss } = await service.state();
  await service.tell({
    do: 'slow bodies',
    port: service.port,
    connections: SLOW_BODIES,
    request,
    ...SLOW_BODY,
  });
  const openedAt = performance.now();
  const measured = await service.measure(requests);
  const grownBy = (await service.state()).rss - rss;
  const withinMs = openedAt + BODY_TIMEOUT_MS + LATE_MS - performance.now();
  const tally = await service.tell<SlowBodiesTally>({ do: 'stop slow bodies', withinMs });

  const slowed = latenciesOf(measured);
  const replies = Object.entries(tally.replies).map(([status, count]) => `${count} × ${status}`);
  const wrong = measured.wrong.slice(0, 3);
  if (tally.stillOpen > 0) wrong.push(`${tally.stillOpen} connections are still open`);
  if (grownBy > MAX_GROWTH_BYTES) wrong.push(`memory grew by ${inMegabytes(grownBy)}`);
  return {
    summary:
      `${latenciesInWords(slowed)} (calm: ${latenciesInWords(calm)}); memory grew by ${inMegabytes(grownBy)}; ` +
      `${tally.endedAfterMs.length} ended, after at most ${inWords(Math.max(0, ...tally.endedAfterMs))}, ` +
      `and ${tally.stillOpen} are open; replies: ${replies.join(', ') || 'none'}`,
    stalls: stallsIn(slowed, calm),
    wrong,
  };
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}

describe.each(MOUNTS)('on %s', (mount) => {
  let service: AbusedService;
  beforeAll(async () => {
    service = await openAbusedService(mount, OPTIONS);
    await service.measure(sized(600, 200));
  });
  afterAll(() => service.close());

  it('an exhausted guard is answered before the body, and the connection ends', async () => {
    const secret = await exhaustGuard(service);
    const head = attackHead(submissionBy(secret), SLOW_BODY.announced);
    const { reply, answeredAfterMs, endedAfterMs } = await sendHalf(service.port, head, '{"jobId":');
    expect(reply?.status).toBe(429);
    expect(Number(reply?.header('retry-after'))).toBeGreaterThan(0);
    expect(answeredAfterMs).toBeLessThan(LATE_MS);
    expect(endedAfterMs).toBeLessThan(DRAIN.ms + LATE_MS);
  }, 60_000);

  it('a failed authentication is answered before the body, and the connection ends', async () => {
    const head = attackHead(submissionBy('unknown'), SLOW_BODY.announced);
    const { reply, answeredAfterMs, endedAfterMs } = await sendHalf(service.port, head, '{"jobId":');
    expect(reply?.status).toBe(401);
    expect(answeredAfterMs).toBeLessThan(LATE_MS);
    expect(endedAfterMs).toBeLessThan(DRAIN.ms + LATE_MS);
  }, 60_000);

  it(`of a body behind an exhausted guard, the service reads ${DRAIN.bytes / 1024} kB`, async () => {
    const secret = await exhaustGuard(service);
    const announced = 4_000_000;
    const head = attackHead(submissionBy(secret), announced);
    await service.state();
    await sendHalf(service.port, head, 'x'.repeat(announced - 1));
    expect((await service.state()).mostRead).toBeLessThanOrEqual(DRAIN.bytes + 2 * READ_BYTES);
  }, 60_000);

  it(`${SLOW_BODIES} slow bodies of one key end in time, take little memory and hardly slow others down`, async () => {
    const outcome = await tryAttack(`${SLOW_BODIES} slow bodies, on ${mount}`, () => sendSlowBodies(service));
    expect(outcome).toEqual({ stalls: [], wrong: [] });
  }, 300_000);
});
