import { requireThat } from './require-that.js';

/** A signing secret, or several while one replaces another. Each whole string, as UTF-8, is an HMAC key. */
export type SigningSecret = string | readonly string[];

/**
 * The secrets as a list.
 *
 * @throws TypeError if there is none, or one is not a string with at least one letter or digit. Anybody could sign with an
 *   empty or blank key, and to HMAC, NULs are an empty key.
 */
export function listSecrets(secret: SigningSecret): readonly string[] {
  const secrets: readonly string[] = Array.isArray(secret) ? secret : [secret];
  requireThat(
    secrets.length > 0 && secrets.every((value) => typeof value === 'string' && /\w/.test(value)),
    'secret must be whsec_..., or several.',
  );
  return secrets;
}

/**
 * Whether two signatures are equal. They are compared to their end, so the time it takes does not tell how much
 * of a guess was right; their length is no secret. Spec: Signature verification, 4.
 */
export function isEqual(left: string, right: string): boolean {
  let bits = left.length ^ right.length;
  for (let at = 0; at < left.length; at++) bits |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return bits === 0;
}
