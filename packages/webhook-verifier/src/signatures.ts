import { requireThat } from './require-that.js';

/**
 * A signing secret, or several during a rotation, as a list or as text with commas: `new,old`. Each whole secret is the HMAC
 * key, in UTF-8.
 */
export type SigningSecret = string | readonly string[];

/**
 * Returns the secrets as a list.
 * @throws TypeError if the list is empty, or a secret has no letter or digit: anyone could sign with a blank key,
 *   and HMAC treats NULs as an empty key.
 */
export function listSecrets(secret: SigningSecret): readonly string[] {
  const secrets: readonly string[] = [secret].flat().flatMap(split);
  requireThat(
    secrets.length > 0 && secrets.every((value) => typeof value === 'string' && /\w/.test(value)),
    'secret must be whsec_..., several with commas, or a list.',
  );
  return secrets;
}

function split(secret: string): string | readonly string[] {
  // A caller without types may pass anything.
  return typeof secret === 'string' && secret.includes(',')
    ? secret.split(',').map((one) => one.trim())
    : secret;
}

/** Compares two signatures in constant time for equal lengths. Contract: 11.5. */
export function isEqual(left: string, right: string): boolean {
  let bits = left.length ^ right.length;
  for (let at = 0; at < left.length; at++) bits |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return bits === 0;
}
