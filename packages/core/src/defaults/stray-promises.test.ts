import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { PhoneNumbers, SecretBox } from '../ports/host-services.js';
import { checkPhoneNumbers, checkSecretBox, ignoreRejection } from './stray-promises.js';

/** Checks ports in which one method returns the answer. */
function checksOf(answer: () => unknown) {
  const open = { seal: () => 'sealed', open: answer } as SecretBox;
  return [
    ['secretBox.seal', () => checkSecretBox({ seal: answer, open: String } as SecretBox)],
    ['secretBox.open', () => checkSecretBox(open)],
    ['phoneNumbers.normalize', () => checkPhoneNumbers({ normalize: answer } as PhoneNumbers)],
  ] as const;
}

it('refuses asynchronous methods except those of a secret box, and leaves no unhandled rejection', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  const [seal, open, normalize] = checksOf(() => Promise.reject(new Error('The key service is down.')));
  expect(seal[1]).not.toThrow();
  expect(open[1]).not.toThrow();
  const message = expect.stringMatching(`\`${normalize[0]}\`.* returned a promise.*before you call`);
  expect(normalize[1]).toThrow(expect.objectContaining({ code: 'MISCONFIGURED', message }));
  ignoreRejection(Promise.reject(new Error('The collector is down.')));
  await setImmediate();
  expect(unhandled).not.toHaveBeenCalled();
});

it.each([undefined, '', 1, {}])('refuses methods that return %j', (answer) => {
  for (const [method, check] of checksOf(() => answer)) {
    const message = expect.stringMatching(`\`${method}\`.* but it did not`);
    expect(check).toThrow(expect.objectContaining({ code: 'MISCONFIGURED', message }));
  }
});

it('accepts a box of a class, which needs its `this`', () => {
  class Box implements SecretBox {
    readonly key = 'k';
    seal(secret: string) {
      return this.key + secret;
    }
    open(sealed: string) {
      return sealed.slice(this.key.length);
    }
  }
  expect(() => checkSecretBox(new Box())).not.toThrow();
});

it('accepts methods that throw, and null for a number', () => {
  const fail = () => {
    throw new Error('This process only opens.');
  };
  expect(() => checkSecretBox({ seal: fail, open: fail })).not.toThrow();
  expect(() => checkPhoneNumbers({ normalize: () => null })).not.toThrow();
});
