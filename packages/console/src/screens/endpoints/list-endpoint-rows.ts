import type { Endpoint, PartnerId } from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';
import { listKeysInScope } from '../../gate/keys-in-scope.js';

/** An endpoint with the names that belong to its key. */
export interface EndpointRow extends Endpoint {
  readonly partnerId: PartnerId;
  readonly keyLabel: string;
}

/** A page of endpoints. */
export interface EndpointRows {
  readonly rows: readonly EndpointRow[];
  readonly nextCursor: string | null;
}

/**
 * Lists a page of all endpoints. For an actor for some partners, lists only the endpoints of these. Failing ones come
 * first, then paused ones.
 */
export async function listEndpointRows(gate: Gate, cursor: string | null): Promise<EndpointRows> {
  if (!gate.isForAllPartners) return { rows: await listOfPartners(gate), nextCursor: null };
  const page = await gate.call('endpoints.list', cursor === null ? {} : { cursor });
  return { rows: page.items.toSorted(worstFirst), nextCursor: page.nextCursor };
}

async function listOfPartners(gate: Gate): Promise<readonly EndpointRow[]> {
  const { keys } = await listKeysInScope(gate);
  const found = await Promise.all(
    keys.map(async ({ key, label }) => {
      const endpoint = await gate.call('endpoints.find', { keyId: key.id });
      return endpoint === null ? [] : [{ ...endpoint, partnerId: key.partnerId, keyLabel: label }];
    }),
  );
  return found.flat().toSorted(worstFirst);
}

function worstFirst(first: Endpoint, second: Endpoint): number {
  return badnessOf(second) - badnessOf(first);
}

function badnessOf({ state, health }: Endpoint): number {
  if (health.firstFailureAt !== null) return 2;
  return state.kind === 'paused' ? 1 : 0;
}
