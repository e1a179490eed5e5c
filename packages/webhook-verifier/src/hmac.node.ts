import { hmac as webHmac } from './hmac.js';

/** `crypto.hash` of Node, of which no more is used. */
type Hash = (algorithm: string, data: string | Uint8Array, encoding: 'latin1' | 'hex') => string;

/** Asked for rather than imported, so that this file loads also where a bundle takes it by mistake. */
interface Runtime {
  readonly process?: { getBuiltinModule?(name: string): { readonly hash?: Hash } | undefined };
}

/** A block of SHA-256, and a digest, in bytes. */
const BLOCK = 64;
const DIGEST = 32;

type Signer = (input: string) => string | Promise<string>;

/**
 * What is made of a secret once, for the last secrets used. A receiver has one secret or two; the bound only
 * keeps a host of many partners from growing without end.
 */
const signers = new Map<string, Signer>();
const MAX_SIGNERS = 64;

/**
 * The same as its namesake of `hmac.ts`. WebCrypto hands each call to another thread, which takes Node many times
 * as long as the digest. Spec: Signature verification, 3.
 */
export function hmac(secret: string, input: string): string | Promise<string> {
  let signer = signers.get(secret);
  if (signer === undefined) {
    if (signers.size >= MAX_SIGNERS) signers.clear();
    signer = createSigner(secret);
    signers.set(secret, signer);
  }
  return signer(input);
}

function createSigner(secret: string): Signer {
  const hash = (globalThis as Runtime).process?.getBuiltinModule?.('node:crypto')?.hash;
  const key = new TextEncoder().encode(secret);
  // Only ASCII is as long in UTF-8. Its padded key is ASCII too, and can stand before the input in one text.
  const isPlain = key.length === secret.length && key.length <= BLOCK;
  return hash && isPlain ? hashSigner(hash, key) : (input) => webHmac(secret, input);
}

/** HMAC as RFC 2104 makes it of two hashes: one-shot ones take half as long as Node's `createHmac`. */
function hashSigner(hash: Hash, key: Uint8Array): Signer {
  const padded = new Uint8Array(BLOCK);
  padded.set(key);
  const inner = String.fromCharCode(...padded.map((byte) => byte ^ 0x36));
  const outer = new Uint8Array(BLOCK + DIGEST);
  outer.set(padded.map((byte) => byte ^ 0x5c));
  return (input) => {
    const digest = hash('sha256', inner + input, 'latin1');
    for (let at = 0; at < DIGEST; at++) outer[BLOCK + at] = digest.charCodeAt(at);
    return hash('sha256', outer, 'hex');
  };
}
