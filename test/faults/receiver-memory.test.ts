/** Attempts at hostile receivers leak no memory. */

import type { Behaviour } from '@partner-hiring/test-support/faulty-receiver/behaviour';
import { BEHAVIOURS } from '@partner-hiring/test-support/faulty-receiver/behaviours';
import {
  type FaultyReceiver,
  startFaultyReceiver,
} from '@partner-hiring/test-support/faulty-receiver/receiver';
import { usedMemory } from '@partner-hiring/test-support/turns';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSafeTransport } from '../../packages/core/src/defaults/safe-transport.js';
import type { WebhookTransport } from '../../packages/core/src/ports/host-services.js';

const IS_FULL = process.env.FAULTS === 'full';
/** Attempts per receiver before and between the measurements. */
const [WARM_UP, ATTEMPTS] = IS_FULL ? [50, 300] : [10, 30];
const AT_ONCE = 10;
/** A leaked connection takes more than 10,000. The engine's caches account for the rest. */
const MAX_BYTES_EACH = IS_FULL ? 1_000 : 4_000;

const HOSTILE = BEHAVIOURS.filter(({ name }) =>
  [
    'refuses with an endless body',
    'refuses with a bomb in gzip',
    'answers with a huge header field',
    'answers with very many header fields',
    'resets after the request',
    'resets within its body',
    'resets as it accepts',
    'has TLS that is not in order: expired',
    'answers twice, the second time with a success',
    'redirects with 307 to another server',
  ].includes(name),
);

let receiver: FaultyReceiver;
let transport: WebhookTransport;
beforeEach(async () => {
  receiver = await startFaultyReceiver(HOSTILE);
  const network = { allowPrivateNetworks: true, resolve: async () => ['127.0.0.1'] };
  transport = createSafeTransport({ ...network, ca: receiver.ca });
});
afterEach(async () => {
  await transport.close();
  await receiver.close();
});

async function attemptMany(behaviour: Behaviour, count: number): Promise<void> {
  const request = { url: receiver.urlOf(behaviour), headers: {}, body: '{"id":"evt_1"}' };
  for (let done = 0; done < count; done += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => transport.post(request)));
  }
  receiver.forget();
}

async function attemptAll(count: number): Promise<void> {
  for (const behaviour of HOSTILE) await attemptMany(behaviour, count);
}

it(`leaks no memory or connection in ${ATTEMPTS} attempts at each of ${HOSTILE.length} receivers`, async () => {
  await attemptAll(WARM_UP);
  const before = await usedMemory();
  await attemptAll(ATTEMPTS);
  await expect.poll(() => receiver.openConnections()).toBeLessThanOrEqual(AT_ONCE * HOSTILE.length);
  const each = ((await usedMemory()) - before) / (HOSTILE.length * ATTEMPTS);
  if (IS_FULL) console.log(`${HOSTILE.length * ATTEMPTS} attempts: ${Math.round(each)} bytes each`);
  expect(each).toBeLessThan(MAX_BYTES_EACH);
  await transport.close();
  await expect.poll(() => receiver.openConnections()).toBe(0);
}, 600_000);

it('covers ten receivers', () => expect(HOSTILE).toHaveLength(10));
