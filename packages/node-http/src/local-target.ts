import { resolveTarget } from '@partner-hiring/core';

/** Nothing is served at the root of the handler's paths. */
const NOWHERE = '/';

/**
 * Returns what of a request target lies below a prefix of the application, as the handler takes it. A target that leads
 * out of the prefix, as `/hiring/../api/v1/external/jobs` does, leads nowhere.
 */
export function localTarget(prefix: string, target: string): string {
  const resolved = resolveTarget(target);
  if (prefix === '') return resolved;
  return resolved.startsWith(`${prefix}/`) ? resolved.slice(prefix.length) : NOWHERE;
}
