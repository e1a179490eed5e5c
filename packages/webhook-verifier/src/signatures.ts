import { requireThat } from './require-that.js';

/** A signing secret, or several during a rotation. The whole string is the HMAC key, in UTF-8. */
export type SigningSecret = string | readonly string[];

/**
 * Returns the secrets as a list.
 * @throws TypeError if the list is empty, or a secret has no letter or digit: anyone could sign with a blank key,
 *   and HMAC treats NULs as an empty key.
 */
export function listSecrets(secret: SigningSecret): readonly string[] {
  const secrets: readonly string[] = Array.isArray(secret) ? secret : [secret];
  requireThat(
    secrets.length > 0 && secrets.every((value) => typeof value === 'string' && /\w/.test(value)),
    'secret must be whsec_... or a list.',
  );
  return secrets;
}

/** Compares two signatures in constant time for equal lengths. Contract: 11.5. */
export function isEqual(left: string, right: string): boolean {
  let bits = left.length ^ right.length;
  for (let at = 0; at < left.length; at++) bits |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return bits === 0;
}
