import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { KeyId } from '../domain/ids.js';
import { NetworkUnavailable } from '../errors.js';
import type { SecretBox, SecretContext } from '../ports/host-services.js';
import { guardSecretBox } from './guard-secret-box.js';

const contextOf = (keyId: KeyId): SecretContext => ({ purpose: 'webhook_signing_secret', keyId });
const A = contextOf('key_a');
const B = contextOf('key_b');

/** A key service whose calls end when the test says so, and a clock that the test moves. */
function serviceOf(answer: (sealed: string) => unknown) {
  const asked: string[] = [];
  let now = 0;
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  const clock = {
    now: () => now,
    sleep: (ms: number) => new Promise<void>((wake) => sleepers.push({ at: now + ms, wake })),
  };
  const box: SecretBox = {
    seal: async (secret) => answer(secret) as string,
    open: (sealed) => {
      asked.push(sealed);
      return answer(sealed) as string;
    },
  };
  const pass = async (ms: number) => {
    now += ms;
    for (const { at, wake } of sleepers) if (at <= now) wake();
    await setImmediate();
  };
  return { asked, pass, guarded: guardSecretBox(box, clock) };
}

it('asks a key service once per secret, also for concurrent calls, and answers without a promise afterwards', async () => {
  const { asked, guarded } = serviceOf(async (sealed) => `opened ${sealed}`);
  const both = [
    guarded.open('one', A),
    guarded.open('one', A),
    guarded.open('two', A),
    guarded.open('one', B),
  ];
  expect(await Promise.all(both)).toEqual(['opened one', 'opened one', 'opened two', 'opened one']);
  expect(asked).toEqual(['one', 'two', 'one']);
  expect(guarded.open('one', A)).toBe('opened one');
  expect(asked).toHaveLength(3);
});

it('forgets all secrets of a key but the valid ones, also while they are being opened', async () => {
  const { asked, guarded } = serviceOf(async (sealed) => sealed);
  await guarded.open('old', A);
  const opening = guarded.open('late', A);
  guarded.keepOnly?.('key_a', ['new']);
  await opening;
  await Promise.all([guarded.open('old', A), guarded.open('late', A)]);
  expect(asked).toEqual(['old', 'late', 'old', 'late']);
});

it('forgets secrets that were not used for a day', async () => {
  const { asked, guarded, pass } = serviceOf(async (sealed) => sealed);
  await guarded.open('one', A);
  await pass(25 * 60 * 60_000);
  await guarded.open('two', B);
  await guarded.open('one', A);
  expect(asked).toEqual(['one', 'two', 'one']);
});

it('keeps no failure, and says since when secrets cannot be opened', async () => {
  let isDown = true;
  const { asked, guarded, pass } = serviceOf(async (sealed) => {
    if (isDown) throw new Error('503');
    return sealed;
  });
  await pass(1_000);
  await expect(guarded.open('one', A)).rejects.toThrow(/key service failed: `secretBox.open` rejected/);
  await pass(1_000);
  await expect(guarded.open('one', A)).rejects.toThrow(NetworkUnavailable);
  expect(guarded.failingSince?.()).toBe(1_000);
  isDown = false;
  expect(await guarded.open('one', A)).toBe('one');
  expect(guarded.failingSince?.()).toBeNull();
  expect(asked).toHaveLength(3);
});

it('forgets a failure that was not repeated for five minutes, because another worker may have the endpoint', async () => {
  const { guarded, pass } = serviceOf(() => {
    throw new Error('bad decrypt');
  });
  expect(() => guarded.open('one', A)).toThrow('bad decrypt');
  expect(guarded.failingSince?.()).toBe(0);
  await pass(6 * 60_000);
  expect(guarded.failingSince?.()).toBeNull();
});

it('gives up a call after ten seconds, and then lets one call at a time wait for a service that hangs', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  let answer: () => Promise<string> = () => new Promise(() => {});
  const { asked, guarded, pass } = serviceOf(() => answer());
  const first = expect(guarded.open('one', A)).rejects.toThrow(/did not answer within 10 seconds/);
  await pass(10_000);
  await first;
  const probe = expect(guarded.open('one', A)).rejects.toThrow(NetworkUnavailable);
  expect(() => guarded.open('two', B)).toThrow('The key service does not answer.');
  expect(asked).toEqual(['one', 'one']);
  await pass(10_000);
  await probe;
  answer = async () => 'secret';
  expect(await guarded.open('one', A)).toBe('secret');
  expect(await guarded.open('two', B)).toBe('secret');
  expect(unhandled).not.toHaveBeenCalled();
});

it.each([undefined, '', 7])('refuses a key service that resolves to %j', async (answer) => {
  const { guarded } = serviceOf(async () => answer);
  await expect(guarded.open('one', A)).rejects.toThrow(/resolved to no text/);
  await expect(guarded.seal('one', A)).rejects.toThrow(/resolved to no text/);
});

it('passes on the answers of a box without promises, and keeps none', () => {
  const { asked, guarded } = serviceOf((sealed) => `opened ${sealed}`);
  expect([guarded.open('one', A), guarded.open('one', A)]).toEqual(['opened one', 'opened one']);
  expect(asked).toHaveLength(2);
});
