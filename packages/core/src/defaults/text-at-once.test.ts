import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { KeyId } from '../domain/ids.js';
import type { PhoneNumbers } from '../ports/phone-numbers.js';
import type { SecretBox, SecretContext } from '../ports/secret-box.js';
import { withNumbersAsText, withSealedText } from './text-at-once.js';

const context: SecretContext = { purpose: 'webhook_signing_secret', keyId: 'key_1' as KeyId };

/** Ports whose every method answers that. */
function answering(answer: () => unknown) {
  const box = withSealedText({ seal: answer, open: answer } as SecretBox);
  const phones = withNumbersAsText({ normalize: answer } as PhoneNumbers);
  return [
    ['seal', () => box.seal('whsec_1', context)],
    ['open', () => box.open('v1.1', context)],
    ['normalize', () => phones.normalize('1', 'US')],
  ] as const;
}

it('a secret box and phone numbers of the host that are asynchronous are refused with the fix', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  for (const [method, call] of answering(() => Promise.reject(new Error('The key service is away.')))) {
    const message = expect.stringMatching(
      `\`${method}\`.* text at once; it gave a promise.*before createPartnerHiring`,
    );
    expect(call).toThrow(expect.objectContaining({ code: 'MISCONFIGURED', message }));
  }
  await setImmediate();
  expect(unhandled).not.toHaveBeenCalled();
});

it.each([undefined, '', 1, {}])('so are those that answer with no text: %j', (answer) => {
  for (const [method, call] of answering(() => answer)) {
    const message = expect.stringMatching(`\`${method}\`.* it gave none`);
    expect(call).toThrow(expect.objectContaining({ code: 'MISCONFIGURED', message }));
  }
});

it('those of a class have their `this`', () => {
  class Box implements SecretBox {
    readonly key = 'k';
    seal(secret: string) {
      return this.key + secret;
    }
    open(sealed: string) {
      return sealed.slice(this.key.length);
    }
  }
  const box = withSealedText(new Box());
  expect(box.open(box.seal('whsec_1', context), context)).toBe('whsec_1');
});

it('a number that is none stays none', () => {
  expect(withNumbersAsText({ normalize: () => null }).normalize('x', 'US')).toBeNull();
});
