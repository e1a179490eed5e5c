/** A signing secret, or several while one replaces another. Each whole string, as UTF-8, is an HMAC key. */
export type SigningSecret = string | readonly string[];

type ImportedKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>;

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' } as const;

/**
 * Imported keys of the last secrets used: importing costs as much as signing. A receiver has one secret
 * or two; the bound only keeps a host of many partners from growing without end.
 */
const keys = new Map<string, Promise<ImportedKey>>();
const MAX_KEYS = 64;

const encoder = new TextEncoder();

/**
 * The secrets as a list.
 *
 * @throws TypeError if there is none, or one is empty or no string: verifying with an empty key would let
 *   anybody sign.
 */
export function listSecrets(secret: SigningSecret): readonly string[] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0 || !secrets.every(isSecret)) {
    throw new TypeError(
      'secret must be the signing secret (whsec_...), or a list of such; none may be empty.',
    );
  }
  return secrets as readonly string[];
}

/** HMAC-SHA256 under each secret, as lowercase hex. Spec: Signature verification, 3. */
export function digests(
  secrets: readonly string[],
  input: Uint8Array<ArrayBuffer>,
): Promise<readonly string[]> {
  return Promise.all(secrets.map((secret) => digest(secret, input)));
}

/**
 * Whether any two of the digests are equal. Every pair is compared to its end, so the time it takes does not
 * tell how much of a guess was right. Spec: Signature verification, 4.
 */
export function anyEqual(expected: readonly string[], given: readonly string[]): boolean {
  let found = 0;
  for (const left of expected) {
    for (const right of given) found |= Number(difference(left, right) === 0);
  }
  return found === 1;
}

async function digest(secret: string, input: Uint8Array<ArrayBuffer>): Promise<string> {
  const mac = await globalThis.crypto.subtle.sign('HMAC', await importedKey(secret), input);
  return Array.from(new Uint8Array(mac), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function importedKey(secret: string): Promise<ImportedKey> {
  const known = keys.get(secret);
  if (known !== undefined) return known;
  if (keys.size >= MAX_KEYS) keys.clear();
  const key = globalThis.crypto.subtle.importKey('raw', encoder.encode(secret), ALGORITHM, false, ['sign']);
  keys.set(secret, key);
  return key;
}

/** Zero for equal texts. Both have the same length, which is no secret. */
function difference(left: string, right: string): number {
  let bits = left.length ^ right.length;
  for (let at = 0; at < left.length; at++) bits |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return bits;
}

function isSecret(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
