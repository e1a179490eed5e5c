/**
 * One key, or a client without a key, floods the service over 40 connections. Other partners must hardly notice, and the
 * attacker must get 429. Decisions 13 and 15.
 *
 * Service, attackers and other partners are separate processes. In the full attack, the attackers run at the lowest
 * priority, so the test measures stalls of the service, not a busy machine (`abuse-attacker.ts`). Other partners send at
 * fixed instants, so a stall delays every request that falls into it. The baseline is the same measurement without an
 * attack.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WINDOW_MS } from '../../packages/core/src/domain/rate-limit.js';
import type { Mount } from './abuse-server.js';
import { type AbusedService, openAbusedService } from './stage/abuse/abused-service.js';
import { ATTACKS, type Attack, CONNECTIONS, GUARD } from './stage/abuse/attacks.js';
import type { FloodTally } from './stage/abuse/flood.js';
import {
  type Latencies,
  latenciesAfter,
  latenciesInWords,
  latenciesOf,
  stallsIn,
} from './stage/abuse/measure.js';
import { type Outcome, tryAttack } from './stage/abuse/outcome.js';
import { EXHAUSTED, wrongReplies } from './stage/abuse/wrong-replies.js';
import { inWords, sized } from './stage/size.js';

const MOUNTS = sized<readonly Mount[]>(['fastify', 'express', 'fetch'], ['fastify']);

/** A slow machine needs up to a minute for the requests of a window, and the first window may end before. */
const EXHAUSTED_WITHIN_MS = 2 * WINDOW_MS;

/** Requests per measurement, at 100 per second. */
function requestsOn(mount: Mount): number {
  return mount === 'fastify' ? sized(1_200, 300) : 500;
}

async function abuse(
  service: AbusedService,
  { prepare }: Attack,
  baseline: Latencies,
  count: number,
): Promise<Outcome> {
  const { requests, allowed } = await prepare(service);
  const startedAt = Date.now();
  await service.tell({ do: 'flood', port: service.port, connections: CONNECTIONS, requests });
  const measured = await service.measure(count);
  const tally = await service.tell<FloodTally>({
    do: 'stop flood',
    after: EXHAUSTED,
    withinMs: EXHAUSTED_WITHIN_MS,
  });
  const endedAt = Date.now();
  const windows = Math.floor(endedAt / WINDOW_MS) - Math.floor(startedAt / WINDOW_MS) + 1;
  const abused = latenciesOf(measured);
  const replies = Object.entries(tally.replies).map(([kind, number]) => `${number} × ${kind}`);
  return {
    summary:
      `${latenciesInWords(abused)} (baseline: ${latenciesInWords(baseline)}; after the first second: ` +
      `${latenciesInWords(latenciesAfter(measured, 100))}); the attacker got ${replies.join(', ')} ` +
      `in ${inWords(endedAt - startedAt)}; requests were sent up to ${inWords(Math.max(...measured.sentLateMs))} late`,
    stalls: stallsIn(abused, baseline),
    wrong: [...wrongReplies(tally, allowed, windows), ...measured.wrong.slice(0, 3)],
  };
}

for (const mount of MOUNTS) {
  describe(`other partners, on ${mount},`, () => {
    const count = requestsOn(mount);
    let service: AbusedService;
    let baseline: Latencies;
    beforeAll(async () => {
      service = await openAbusedService(mount, { limits: { guard: GUARD } });
      // Warm up, because cold code is slow.
      await service.measure(100);
      baseline = latenciesOf(await service.measure(count));
    });
    afterAll(() => service.close());

    for (const attack of ATTACKS) {
      it(`hardly notice ${attack.name}`, async () => {
        const name = `${attack.name}, on ${mount}`;
        const outcome = await tryAttack(name, async (isFirst) => {
          // The machine may be busier now.
          if (!isFirst) baseline = latenciesOf(await service.measure(count));
          return abuse(service, attack, baseline, count);
        });
        expect(outcome).toEqual({ stalls: [], wrong: [] });
      }, 300_000);
    }
  });
}
