import { expect } from 'vitest';
import type { KeyId } from '../../../../packages/core/src/domain/ids.js';
import type { Stage } from '../stage.js';

/** The default of `leaseMs`. */
export const LEASE_MS = 90_000;

/** Takes the lease of the only endpoint, as another worker after its end. */
export async function takeOver({ clock, another }: Stage, keyId: KeyId): Promise<void> {
  const later = await another({ now: () => clock.now() + LEASE_MS });
  const leased = await later.direct.endpoints.lease({ token: 'another', forMs: 0 }, clock.now(), 10);
  expect(leased.map(({ endpoint }) => endpoint.keyId)).toEqual([keyId]);
}
