import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { OperatorError } from '../errors.js';
import type { SecretBox, SecretContext } from '../ports/host-services.js';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** Random nonces are safe for billions of seals under one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const VERSION = 'v1';
const SEALED_FORM = /^v1\.([A-Za-z0-9_-]+)$/;

const HEX_KEY = /^[0-9a-f]{64}$/i;
const BASE64_KEY = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Returns a secret box that encrypts with AES-256-GCM and binds each secret to its context.
 * @param key - 32 bytes, or the same in hex or base64. Keep it apart from the database: an attacker with both
 *   can sign as you. Without it, sealed secrets cannot be opened.
 * @throws OperatorError `MISCONFIGURED` if the key is not 32 bytes, or all its bytes are equal.
 * @example
 * const secretBox = createSecretBox(process.env.PARTNER_HIRING_SEALING_KEY ?? '');
 */
export function createSecretBox(key: Uint8Array | string): SecretBox {
  const keyBytes = readKey(key);
  return {
    seal: (secret, context) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, keyBytes, nonce).setAAD(bound(context));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
    },
    open: (sealed, context) => {
      const bytes = readSealed(sealed);
      const decipher = createDecipheriv(ALGORITHM, keyBytes, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(bound(context));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const secret = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([secret, finish(decipher)]).toString('utf8');
    },
  };
}

/** JSON makes the context unambiguous. */
function bound({ purpose, keyId }: SecretContext): Buffer {
  return Buffer.from(JSON.stringify([VERSION, purpose, keyId]));
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

function readSealed(sealed: string): Buffer {
  const encoded = SEALED_FORM.exec(sealed)?.[1] ?? '';
  const bytes = Buffer.from(encoded, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== encoded) {
    throw new Error('This is not a sealed secret.');
  }
  return bytes;
}

function readKey(key: Uint8Array | string): Buffer {
  const bytes = typeof key === 'string' ? decodeKey(key.trim()) : copyBytes(key);
  if (bytes?.length === KEY_BYTES) {
    assertNotUniform(bytes);
    return bytes;
  }
  const isBlank = typeof key === 'string' && key.trim() === '';
  const given = isBlank ? ' It is empty: is its environment variable set for this process?' : '';
  throw new OperatorError(
    'MISCONFIGURED',
    `\`secretKey\` must be 32 bytes: as bytes, as 64 hexadecimal characters, or in base64.${given} ` +
      `Create one with: node -e "console.log(require('node:crypto').randomBytes(32).toString('base64'))"`,
  );
}

/** Throws if all bytes of the key are equal: such a key is a placeholder that anyone can guess. */
function assertNotUniform(key: Buffer): void {
  if (key.some((byte) => byte !== key[0])) return;
  throw new OperatorError(
    'MISCONFIGURED',
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
