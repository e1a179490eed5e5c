import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../errors.js';
import type { SecretBox, SecretContext } from '../ports/host-services.js';
import { createSecretBox } from './sealed-secrets.js';

const KEY = randomBytes(32);
const SECRET = 'whsec_dGhlIHNlY3JldA–ü';
const CONTEXT: SecretContext = { purpose: 'webhook_signing_secret', keyId: 'key_one' };

describe('createSecretBox', () => {
  it('opens what it sealed and reveals nothing', () => {
    const box = createSecretBox(KEY);
    const sealed = box.seal(SECRET, CONTEXT);
    expect(box.open(sealed, CONTEXT)).toBe(SECRET);
    expect(sealed).not.toContain('whsec_');
    expect(sealed).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
  });

  it('opens secrets sealed by earlier versions', () => {
    const sealed = 'v1.Cv2Lpws9jZrsvqy-iFdiTdL6WDOFNYPHCj-WDg6DW7-_eN6KiafEFancSwroopPmDXaDpV8';
    expect(createSecretBox('0123456789abcdef'.repeat(4)).open(sealed, CONTEXT)).toBe(SECRET);
  });

  it('seals the same secret to different texts', () => {
    const box = createSecretBox(KEY);
    expect(box.seal(SECRET, CONTEXT)).not.toBe(box.seal(SECRET, CONTEXT));
  });

  it('accepts the key as bytes, hex, base64 and base64url', () => {
    const sealed = createSecretBox(KEY).seal(SECRET, CONTEXT);
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      expect(createSecretBox(KEY.toString(form)).open(sealed, CONTEXT)).toBe(SECRET);
      // Contains the characters in which the two alphabets differ.
      expect(() => createSecretBox(Buffer.alloc(32, 'fbff', 'hex').toString(form))).not.toThrow();
    }
    expect(createSecretBox(new Uint8Array(KEY)).open(sealed, CONTEXT)).toBe(SECRET);
    expect(createSecretBox(`${KEY.toString('hex').toUpperCase()}\n`).open(sealed, CONTEXT)).toBe(SECRET);
  });

  it.each([
    ['zeros', new Uint8Array(32)],
    ['sevens, in hexadecimal', '07'.repeat(32)],
    ['one letter, in base64', Buffer.alloc(32, 'a').toString('base64')],
  ])('refuses a key of equal bytes: %s', (_, key) => {
    expect(() => createSecretBox(key)).toThrow(
      expect.objectContaining({
        code: 'MISCONFIGURED',
        message: expect.stringMatching(/All bytes of `secretKey` are equal.*`openssl rand -base64 32`/),
      }),
    );
  });

  it('keeps its key if the caller overwrites the bytes', () => {
    const given = Uint8Array.from(KEY);
    const box = createSecretBox(given);
    given.fill(0);
    expect(createSecretBox(KEY).open(box.seal(SECRET, CONTEXT), CONTEXT)).toBe(SECRET);
  });

  it('throws if any single bit was changed', () => {
    const box = createSecretBox(KEY);
    const bytes = Buffer.from(box.seal(SECRET, CONTEXT).slice(3), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => box.open(`v1.${changed.toString('base64url')}`, CONTEXT)).toThrow(/changed/);
    }
  });

  it('throws on a truncated, extended, unversioned or unsealed text', () => {
    const box = createSecretBox(KEY);
    const sealed = box.seal(SECRET, CONTEXT);
    for (const text of [sealed.slice(0, -4), `${sealed}AAAA`]) {
      expect(() => box.open(text, CONTEXT)).toThrow(/changed|not a sealed/);
    }
    // The last character has spare bits, which decoding would drop.
    const spare = sealed.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1));
    const others = [sealed.slice(0, 20), `${sealed}!`, ` ${sealed}`, spare];
    for (const text of [...others, sealed.replace('v1', 'v2'), SECRET, '', 'v1.']) {
      expect(() => box.open(text, CONTEXT)).toThrow('This is not a sealed secret.');
    }
  });

  it('throws with another key', () => {
    const sealed = createSecretBox(KEY).seal(SECRET, CONTEXT);
    expect(() => createSecretBox(randomBytes(32)).open(sealed, CONTEXT)).toThrow(/another key/);
  });

  it('throws in another context, however similar', () => {
    const box = createSecretBox(KEY);
    const sealed = box.seal(SECRET, CONTEXT);
    const others = [{ keyId: 'key_two' }, { keyId: 'key_' }, { purpose: 'other' }];
    const shifted = { purpose: `${CONTEXT.purpose}","key_one`, keyId: '' };
    for (const other of [...others, shifted]) {
      const context = { ...CONTEXT, ...other } as SecretContext;
      expect(() => box.open(sealed, context)).toThrow(/another endpoint/);
    }
  });

  it('combines two boxes to move to a new key', () => {
    const [before, next] = [createSecretBox(KEY), createSecretBox(randomBytes(32))];
    const open: SecretBox['open'] = (sealed, context) => {
      try {
        return next.open(sealed, context);
      } catch {
        return before.open(sealed, context);
      }
    };
    const old = before.seal(SECRET, CONTEXT);
    expect(open(old, CONTEXT)).toBe(SECRET);
    expect(open(next.seal(SECRET, CONTEXT), CONTEXT)).toBe(SECRET);
    expect(() => open(old, { ...CONTEXT, keyId: 'key_two' })).toThrow(/another endpoint/);
  });

  it.each([
    ['too short', randomBytes(31)],
    ['too long', randomBytes(33)],
    ['empty', ''],
    ['a passphrase', 'correct horse battery staple'],
    ['hexadecimal with a junk tail', `${KEY.toString('hex')}zz`],
    ['base64 behind junk', `!${KEY.toString('base64')}`],
    ['hexadecimal cut short', KEY.toString('hex').slice(2)],
    ['base64 of too few bytes', randomBytes(24).toString('base64')],
  ])('refuses a key that is %s', (_what, key) => {
    expect(() => createSecretBox(key)).toThrow(OperatorError);
  });

  it('explains an empty key, as from an unset environment variable', () => {
    for (const empty of ['', ' \n']) {
      expect(messageOf(() => createSecretBox(empty))).toContain('It is empty: is its environment variable');
    }
    expect(messageOf(() => createSecretBox('short'))).not.toContain('It is empty');
  });

  it('names a command that creates a valid key', () => {
    const refused = expect(() => createSecretBox('short'));
    refused.toThrow(expect.objectContaining({ code: 'MISCONFIGURED' }));
    const [, script] = /node -e "(.*)"$/.exec(messageOf(() => createSecretBox('short'))) ?? [];
    const made = execFileSync(process.execPath, ['-e', script ?? ''], { encoding: 'utf8' });
    expect(() => createSecretBox(made)).not.toThrow();
  });
});

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
}
