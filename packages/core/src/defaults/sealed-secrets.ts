import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { misconfiguration } from '../errors.js';
import type { SealingKeys, SecretContext } from '../ports/host-services.js';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** Random nonces are safe for billions of seals under one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The first version did not say which key sealed the text. */
type Version = 'v1' | 'v2';
const SEALED_FORM = /^(?:v1|v2\.([0-9a-f]{8}))\.([A-Za-z0-9_-]+)$/;

const HEX_KEY = /^[0-9a-f]{64}$/i;
const BASE64_KEY = /^[A-Za-z0-9+/_-]{43}=?$/;

/** A sealing key: 32 bytes, or the same in hex or base64. */
export type SealingKey = Uint8Array | string;

/** A secret box that works in memory. */
export interface LocalSecretBox extends SealingKeys {
  seal(secret: string, context: SecretContext): string;
  open(sealed: string, context: SecretContext): string;
}

/**
 * Returns a secret box that encrypts with AES-256-GCM and binds each secret to its context.
 * @param keys - one key, or several: the first one seals, and each opens what it has sealed. A text may contain several
 *   keys, separated by commas. Keep them apart from the database: an attacker with both can sign as you. Without a key,
 *   the secrets that it sealed cannot be opened.
 * @throws OperatorError `MISCONFIGURED` if a key is not 32 bytes, all its bytes are equal, or a key is given twice.
 * @example
 * const secretBox = createSecretBox(process.env.PARTNER_HIRING_SEALING_KEY ?? '');
 */
export function createSecretBox(keys: SealingKey | readonly SealingKey[]): LocalSecretBox {
  const [current, ...older] = readKeys(keys);
  const all = [current, ...older];
  return {
    keyIds: [current.id, ...older.map(({ id }) => id)],
    keyIdOf: (sealed) => SEALED_FORM.exec(sealed)?.[1] ?? null,
    seal: (secret, context) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, current.bytes, nonce).setAAD(bound('v2', context));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `v2.${current.id}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
    },
    open: (sealed, context) => {
      const { keyId, bytes } = readSealed(sealed);
      if (keyId === null) return openWithAny(all, bytes, bound('v1', context));
      const key = all.find(({ id }) => id === keyId);
      if (key !== undefined) return decrypt(key, bytes, bound('v2', context));
      throw new Error(
        `The secret was sealed with another key, ${keyId}. This process knows ${all.map(({ id }) => id).join(', ')}.`,
      );
    },
  };
}

interface ReadKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** Opens a text that does not say which key sealed it. */
function openWithAny(keys: readonly ReadKey[], bytes: Buffer, context: Buffer): string {
  let problem: unknown;
  for (const key of keys) {
    try {
      return decrypt(key, bytes, context);
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

function decrypt(key: ReadKey, bytes: Buffer, context: Buffer): string {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key.bytes, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(context);
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const secret = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([secret, finish(decipher)]).toString('utf8');
}

/** JSON makes the context unambiguous. */
function bound(version: Version, { purpose, keyId }: SecretContext): Buffer {
  return Buffer.from(JSON.stringify([version, purpose, keyId]));
}

function finish(decipher: { final(): Buffer }): Buffer {
  try {
    return decipher.final();
  } catch (cause) {
    throw new Error('The sealed secret was changed, or sealed with another key or for another endpoint.', {
      cause,
    });
  }
}

function readSealed(sealed: string): { readonly keyId: string | null; readonly bytes: Buffer } {
  const [, keyId = null, encoded = ''] = SEALED_FORM.exec(sealed) ?? [];
  const bytes = Buffer.from(encoded, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== encoded) {
    throw new Error('This is not a sealed secret.');
  }
  return { keyId, bytes };
}

/** Splits texts, because an environment variable holds all keys. */
function readKeys(given: SealingKey | readonly SealingKey[]): readonly [ReadKey, ...ReadKey[]] {
  const list = Array.isArray(given) ? (given as readonly SealingKey[]) : [given as SealingKey];
  const [first = '', ...others] = list.flatMap((key): readonly SealingKey[] =>
    typeof key === 'string' ? splitKeys(key) : [key],
  );
  const keys = [readKey(first), ...others.map(readKey)] as const;
  if (new Set(keys.map(({ id }) => id)).size === keys.length) return keys;
  throw misconfiguration(
    'A sealing key is given twice. Pass each once: the new one first, then the older ones.',
  );
}

/** Splits a text with several sealing keys. */
function splitKeys(text: string): readonly string[] {
  return text.trim().split(/[\s,]+/);
}

/** A hash of the key. It does not reveal the key, which is random. */
function idOf(bytes: Buffer): string {
  return createHmac('sha256', bytes).update('partner-hiring sealing key').digest('hex').slice(0, 8);
}

function readKey(key: SealingKey): ReadKey {
  const bytes = typeof key === 'string' ? decodeKey(key) : copyBytes(key);
  if (bytes?.length === KEY_BYTES) {
    assertNotUniform(bytes);
    return { id: idOf(bytes), bytes };
  }
  const given = key === '' ? ' It is empty: is its environment variable set for this process?' : '';
  throw misconfiguration(
    `A sealing key (\`secretKey\`) must be 32 bytes: as bytes, as 64 hexadecimal characters, or in base64.${given} ` +
      `Create one with: node -e "console.log(require('node:crypto').randomBytes(32).toString('base64'))"`,
  );
}

/** Throws if all bytes of the key are equal: such a key is a placeholder that anyone can guess. */
function assertNotUniform(key: Buffer): void {
  if (key.some((byte) => byte !== key[0])) return;
  throw misconfiguration(
    'All bytes of `secretKey` are equal, so that anyone can guess it. ' +
      'Create a random one with `openssl rand -base64 32`. If you have used this key, replace the signing secrets: ' +
      '`endpoints.rotateSecret` with `overlapMs: 0`.',
  );
}

function copyBytes(key: unknown): Buffer | null {
  return ArrayBuffer.isView(key) ? Buffer.from(key as Uint8Array) : null;
}

/** Decodes hex or base64. Checks the form first, because Node would decode a part of any other text. */
function decodeKey(text: string): Buffer | null {
  if (HEX_KEY.test(text)) return Buffer.from(text, 'hex');
  return BASE64_KEY.test(text) ? Buffer.from(text, 'base64') : null;
}
