/**
 * Slow and unwanted request bodies. Decisions 4 and 15: the service answers an exhausted guard and a failed
 * authentication before the body, and ends the connection of a late body. Unfinished bodies take little memory.
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
const BODY_TIMEOUT_MS = sized(30 * SECOND_MS, 2 * SECOND_MS);
const OPTIONS = sized<AbusedServerSettings['options']>({}, { bodyTimeoutMs: BODY_TIMEOUT_MS });
/** Tolerance for a busy machine. */
const LATE_MS = 3 * SECOND_MS;

/** What the service may read of a body after its answer. */
const DRAIN = { bytes: 64 * 1024, ms: SECOND_MS };
/** One read of a socket. The first and the last read may exceed the limit. */
const READ_BYTES = 64 * 1024;

const SLOW_BODIES = sized(1_500, 800);
/** Half of them stop there, the others continue with one byte per second. */
const SLOW_BODY = { announced: 200_000, sent: 199_000 };
/** Half of the size of all these bodies. */
const MAX_GROWTH_BYTES = (SLOW_BODIES * SLOW_BODY.announced) / 2;

function submissionBy(secret: string) {
  return { method: 'POST', path: '/applications', secret, idempotencyKey: 'fresh' } as const;
}

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
  const baseline = latenciesOf(await service.measure(requests));
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
      `${latenciesInWords(slowed)} (baseline: ${latenciesInWords(baseline)}); memory grew by ${inMegabytes(grownBy)}; ` +
      `${tally.endedAfterMs.length} ended, after at most ${inWords(Math.max(0, ...tally.endedAfterMs))}, ` +
      `and ${tally.stillOpen} are open; replies: ${replies.join(', ') || 'none'}`,
    stalls: stallsIn(slowed, baseline),
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

  it('answers an exhausted guard before the body and ends the connection', async () => {
    const secret = await exhaustGuard(service);
    const head = attackHead(submissionBy(secret), SLOW_BODY.announced);
    const { reply, answeredAfterMs, endedAfterMs } = await sendHalf(service.port, head, '{"jobId":');
    expect(reply?.status).toBe(429);
    expect(Number(reply?.header('retry-after'))).toBeGreaterThan(0);
    expect(answeredAfterMs).toBeLessThan(LATE_MS);
    expect(endedAfterMs).toBeLessThan(DRAIN.ms + LATE_MS);
  });

  it('answers a failed authentication before the body and ends the connection', async () => {
    const head = attackHead(submissionBy('unknown'), SLOW_BODY.announced);
    const { reply, answeredAfterMs, endedAfterMs } = await sendHalf(service.port, head, '{"jobId":');
    expect(reply?.status).toBe(401);
    expect(answeredAfterMs).toBeLessThan(LATE_MS);
    expect(endedAfterMs).toBeLessThan(DRAIN.ms + LATE_MS);
  });

  it(`reads ${DRAIN.bytes / 1024} kB of a body behind an exhausted guard`, async () => {
    const secret = await exhaustGuard(service);
    const announced = 4_000_000;
    const head = attackHead(submissionBy(secret), announced);
    await service.state();
    await sendHalf(service.port, head, 'x'.repeat(announced - 1));
    expect((await service.state()).mostRead).toBeLessThanOrEqual(DRAIN.bytes + 2 * READ_BYTES);
  });

  it(`ends ${SLOW_BODIES} slow bodies in time, with little memory and latency`, async () => {
    const outcome = await tryAttack(`${SLOW_BODIES} slow bodies, on ${mount}`, () => sendSlowBodies(service));
    expect(outcome).toEqual({ stalls: [], wrong: [] });
  }, 300_000);
});
