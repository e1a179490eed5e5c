import type { KeyId } from '../../domain/ids.js';
import { findEndpoint } from '../find-or-throw.js';
import type { Runner } from '../scope.js';
import { type AttemptHour, countAttempts, type HourFilter, hoursOf } from './hours.js';

/** The attempts of an endpoint in each hour. */
export interface EndpointActivity {
  /** Oldest first. The last hour is not over. */
  readonly hours: readonly AttemptHour[];
}

export async function findActivity(
  runner: Runner,
  { keyId, since }: HourFilter & { readonly keyId: KeyId },
): Promise<EndpointActivity> {
  const hours = hoursOf({ since }, await runner.now());
  await findEndpoint(runner.read, keyId);
  return { hours: await countAttempts(runner, keyId, hours) };
}
