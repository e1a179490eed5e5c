/** Pauses and resumes in a tight loop, with several workers and attempts in flight. */

import { settle } from '@partner-hiring/test-support/clock';
import { answered } from '@partner-hiring/test-support/transport';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import type { Worker } from '../../../packages/core/src/worker/worker.js';
import { openStage, type Stage } from './stage.js';

const ROUNDS = process.env.FAULTS === 'full' ? 100 : 4;
const WORKERS = 3;
const CAP = 4;
/** The longest attempt here, 44 ms, and a step of the clock. */
const ATTEMPT_MS = 60;
/** A busy sender reads the endpoint when it records, 100 ms after the next attempt ended. */
const NOTICED_WITHIN_MS = ATTEMPT_MS + 100;

let stage: Stage;
let workers: Worker[];
beforeEach(async () => {
  stage = await openStage();
  workers = Array.from({ length: WORKERS }, () => stage.worker());
  for (const worker of workers) worker.start();
});
afterEach(async () => {
  stage.transport.answerWith(() => answered(200));
  const stopped = Promise.all(workers.map((worker) => worker.stop()));
  await stage.clock.advance(MINUTE_MS);
  await stopped;
  await stage.close();
});

/** Advances the clock in small steps. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10) {
    await stage.clock.advance(10);
    await settle();
  }
}

it('an operator loses no event, and only attempts in flight reach a paused endpoint', async () => {
  const keyId = await stage.key();
  const recorded: string[] = [];
  const accepted: string[] = [];
  let inFlight = 0;
  let most = 0;
  stage.transport.answerWith(async ({ body }) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await stage.clock.sleep(15 + ((accepted.length * 7) % 30));
    inFlight -= 1;
    accepted.push((JSON.parse(body) as { readonly id: string }).id);
    return answered(200);
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    recorded.push(...(await stage.record(keyId, 15)).map(({ id }) => id));
    for (const worker of workers) worker.wake();
    await pass(10 + ((round * 37) % 90));
    await stage.pause(keyId);
    await pass(NOTICED_WITHIN_MS);
    const sent = stage.sent().length;
    recorded.push(...(await stage.record(keyId, 3)).map(({ id }) => id));
    for (const worker of workers) worker.wake();
    await pass(300);
    expect(stage.sent()).toHaveLength(sent);
    await stage.resume(keyId);
  }
  for (const worker of workers) worker.wake();
  await pass(3_000 + 20 * ROUNDS);

  expect(accepted.toSorted()).toEqual(recorded.toSorted());
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(CAP);
  expect(stage.alerts).toEqual([]);
}, 120_000);

it('a receiver that answers 410 causes one alert per pause', async () => {
  const keyId = await stage.key();
  const recorded = (await stage.record(keyId, 5 * ROUNDS)).map(({ id }) => id);
  const accepted = new Set<string>();
  let posts = 0;
  stage.transport.answerWith(async ({ body }) => {
    posts += 1;
    const isGone = posts % 5 === 0;
    await stage.clock.sleep(20 + ((posts * 13) % 40));
    if (!isGone) accepted.add((JSON.parse(body) as { readonly id: string }).id);
    return answered(isGone ? 410 : 200);
  });
  let pauses = 0;
  for (let look = 0; look < 40 * ROUNDS && accepted.size < recorded.length; look += 1) {
    await pass(look % 2 === 0 ? 50 : 30);
    const { state } = await stage.endpoint(keyId);
    if (state.kind !== 'paused') {
      if (look % 8 === 7) await stage.clock.advance(MINUTE_MS);
      continue;
    }
    pauses += 1;
    // Two operators resume at once.
    await Promise.all([stage.resume(keyId), stage.resume(keyId)]);
    for (const worker of workers) worker.wake();
  }
  await pass(2_000);

  expect([...accepted].sort()).toEqual(recorded.toSorted());
  expect(pauses).toBeGreaterThan(ROUNDS / 4);
  const last = (await stage.endpoint(keyId)).state.kind === 'paused' ? 1 : 0;
  const alerts = stage.alerts.filter(({ kind }) => kind !== 'endpoint_recovered');
  expect(alerts).toHaveLength(pauses + last);
  expect(new Set(alerts.map(({ id }) => id)).size).toBe(pauses + last);
  expect(new Set(alerts.map(({ kind }) => kind))).toEqual(new Set(['endpoint_paused']));
}, 300_000);
