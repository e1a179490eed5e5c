import { isWellFormedSecret } from './partner-key.js';

/** Matches `Bearer` in any letter case, one or more spaces, and one token. Spec: Authentication, 1. */
const BEARER = /^bearer +([^\s,]+)$/i;

/** Returns the secret, or null unless there is exactly one `Authorization` field with a well-formed secret. */
export function presentedSecret([value, second]: readonly string[]): string | null {
  if (value === undefined || second !== undefined) return null;
  const secret = BEARER.exec(value)?.[1];
  return secret !== undefined && isWellFormedSecret(secret) ? secret : null;
}

/** Why a key was not accepted, for the request log. Partners always get the same reply. */
export type AuthorizationFault =
  | 'Authorization.missing'
  | 'Authorization.malformed'
  | 'Authorization.unknown_key';

/** Describes the `Authorization` fields of a request that was not authenticated, without their content. */
export function authorizationFault(values: readonly string[]): AuthorizationFault {
  if (values.every((value) => value.trim() === '')) return 'Authorization.missing';
  return presentedSecret(values) === null ? 'Authorization.malformed' : 'Authorization.unknown_key';
}
