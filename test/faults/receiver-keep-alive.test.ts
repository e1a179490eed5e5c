/** A receiver may close idle connections without a failed attempt. */

import {
  type FaultyReceiver,
  startFaultyReceiver,
} from '@partner-hiring/test-support/faulty-receiver/receiver';
import { RESETS } from '@partner-hiring/test-support/faulty-receiver/resets';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSafeTransport } from '../../packages/core/src/defaults/safe-transport.js';
import type { AttemptOutcome } from '../../packages/core/src/domain/delivery.js';
import { openStage, type Stage } from '../scenarios/worker/stage.js';

const ENDPOINTS = 5;
const BURSTS = 25;
/** Two per concurrent attempt. */
const BURST = 8;
const TOTAL = ENDPOINTS * BURSTS * BURST;
/** The receiver closes after 50 ms. */
const BETWEEN_MS = [46, 49, 50, 51, 54];

const CLOSING = RESETS.filter(({ name }) => name === 'closes each connection 50 ms after its answer');

let stage: Stage;
let receiver: FaultyReceiver;
beforeEach(async () => {
  stage = await openStage();
  receiver = await startFaultyReceiver(CLOSING);
});
afterEach(async () => {
  await receiver.close();
  await stage.close();
});

it(`fails none of ${TOTAL} attempts when the receiver closes idle connections`, async () => {
  const [behaviour] = CLOSING;
  if (behaviour === undefined) throw new Error('The closing receiver is missing.');
  const network = { allowPrivateNetworks: true, resolve: async () => ['127.0.0.1'], ca: receiver.ca };
  const transport = createSafeTransport(network);
  const outcomes: AttemptOutcome[] = [];
  const worker = stage.worker({
    transport: {
      ...transport,
      async post(request) {
        const outcome = await transport.post(request);
        outcomes.push(outcome);
        return outcome;
      },
    },
  });
  const url = receiver.urlOf(behaviour);
  const keys = await Promise.all(Array.from({ length: ENDPOINTS }, () => stage.key({ url })));
  const recorded: string[] = [];
  for (let burst = 0; burst < BURSTS; burst += 1) {
    for (const events of await Promise.all(keys.map((keyId) => stage.record(keyId, BURST)))) {
      recorded.push(...events.map(({ id }) => id));
    }
    await worker.drain();
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS[burst % BETWEEN_MS.length]));
  }
  await transport.close();

  expect(outcomes).toHaveLength(TOTAL);
  expect(outcomes.filter((outcome) => outcome.kind === 'failed' || outcome.status !== 200)).toEqual([]);
  const received = receiver.requestsTo(behaviour).map(({ body }) => (JSON.parse(body) as { id: string }).id);
  expect([...new Set(received)].sort()).toEqual(recorded.toSorted());
});
