import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../errors.js';
import type { SecretContext } from '../ports/host-services.js';
import { createSecretBox } from './sealed-secrets.js';

const KEY = randomBytes(32);
const SECRET = 'whsec_dGhlIHNlY3JldA–ü';
const PREFIX = 'v2.01234567.';
const CONTEXT: SecretContext = { purpose: 'webhook_signing_secret', keyId: 'key_one' };

describe('createSecretBox', () => {
  it('opens what it sealed and reveals nothing', () => {
    const box = createSecretBox(KEY);
    const sealed = box.seal(SECRET, CONTEXT);
    expect(box.open(sealed, CONTEXT)).toBe(SECRET);
    expect(sealed).not.toContain('whsec_');
    expect(sealed).toMatch(/^v2\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
    expect(box.keyIdOf(sealed)).toBe(box.keyIds[0]);
  });

  it('opens secrets sealed by earlier versions', () => {
    const sealed = 'v1.Cv2Lpws9jZrsvqy-iFdiTdL6WDOFNYPHCj-WDg6DW7-_eN6KiafEFancSwroopPmDXaDpV8';
    const old = '0123456789abcdef'.repeat(4);
    for (const keys of [old, [KEY, old], [old, KEY]]) {
      expect(createSecretBox(keys).open(sealed, CONTEXT)).toBe(SECRET);
      expect(createSecretBox(keys).keyIdOf(sealed)).toBeNull();
    }
    expect(() => createSecretBox(KEY).open(sealed, CONTEXT)).toThrow(/another key/);
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
    const bytes = Buffer.from(box.seal(SECRET, CONTEXT).slice(PREFIX.length), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => box.open(`v2.${box.keyIds[0]}.${changed.toString('base64url')}`, CONTEXT)).toThrow(
        /changed/,
      );
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
    for (const text of [...others, sealed.replace('v2', 'v3'), SECRET, '', 'v1.']) {
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

  it('seals with the first of several keys and opens with all', () => {
    const older = createSecretBox(KEY);
    const old = older.seal(SECRET, CONTEXT);
    const next = randomBytes(32);
    const both = [
      `${next.toString('hex')}, ${KEY.toString('base64')}`,
      [next, KEY],
      [next.toString('base64'), KEY],
    ];
    for (const keys of both) {
      const box = createSecretBox(keys);
      expect(box.keyIds).toEqual([...createSecretBox(next).keyIds, ...older.keyIds]);
      expect(box.open(old, CONTEXT)).toBe(SECRET);
      expect(box.keyIdOf(old)).toBe(older.keyIds[0]);
      const sealed = box.seal(SECRET, CONTEXT);
      expect(createSecretBox(next).open(sealed, CONTEXT)).toBe(SECRET);
      expect(() => older.open(sealed, CONTEXT)).toThrow(`another key, ${box.keyIds[0]}`);
      expect(() => box.open(old, { ...CONTEXT, keyId: 'key_two' })).toThrow(/another endpoint/);
    }
  });

  it('derives ids that say nothing about the keys', () => {
    const [id] = createSecretBox(KEY).keyIds;
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(KEY.toString('hex')).not.toContain(id);
    expect(createSecretBox(KEY.toString('base64')).keyIds).toEqual([id]);
  });

  it('refuses a key that is given twice, and an empty one of several', () => {
    for (const keys of [[KEY, KEY.toString('hex')], `${KEY.toString('hex')},${KEY.toString('base64')}`]) {
      expect(messageOf(() => createSecretBox(keys))).toMatch(
        /given twice\. Pass each once: the new one first/,
      );
    }
    for (const keys of [[], [KEY, ''], `${KEY.toString('hex')},`]) {
      expect(messageOf(() => createSecretBox(keys))).toContain('It is empty');
    }
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
