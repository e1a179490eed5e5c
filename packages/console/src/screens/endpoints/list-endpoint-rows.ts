import type { Endpoint, EndpointReport, Page } from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';
import { listKeysInScope } from '../../gate/keys-in-scope.js';

/**
 * Lists a page of all endpoints. For an actor for some partners, lists only the endpoints of these. Failing ones come
 * first, then paused ones.
 */
export async function listEndpointRows(gate: Gate, cursor: string | null): Promise<Page<EndpointReport>> {
  const { items, nextCursor } = gate.isForAllPartners
    ? await gate.call('endpoints.list', cursor === null ? {} : { cursor })
    : { items: await listOfPartners(gate), nextCursor: null };
  return { items: items.toSorted(worstFirst), nextCursor };
}

/** Lists the endpoints of an actor for some partners. */
async function listOfPartners(gate: Gate): Promise<readonly EndpointReport[]> {
  const keys = await listKeysInScope(gate);
  const found = await Promise.all(keys.map(({ key }) => gate.call('endpoints.find', { keyId: key.id })));
  return found.filter((endpoint) => endpoint !== null);
}

/** Lists failing endpoints, longest failing first. For an actor for some partners, those of these. */
export async function listFailingRows(
  gate: Gate,
  page: { readonly cursor?: string | undefined; readonly limit?: number } = {},
): Promise<Page<EndpointReport>> {
  if (gate.isForAllPartners) return gate.call('endpoints.list', { ...page, onlyFailing: true });
  const since = ({ health }: Endpoint) => health.firstFailureAt ?? 0;
  const failing = (await listOfPartners(gate)).filter(({ health }) => health.firstFailureAt !== null);
  return { items: failing.toSorted((one, other) => since(one) - since(other)), nextCursor: null };
}

/** Lists paused endpoints, longest paused first. For an actor for some partners, those of these. */
export async function listPausedRows(gate: Gate, cursor?: string): Promise<Page<EndpointReport>> {
  if (gate.isForAllPartners) return gate.call('endpoints.list', { onlyPaused: true, cursor });
  const paused = (await listOfPartners(gate)).filter(({ state }) => state.kind === 'paused');
  return { items: paused.toSorted((one, other) => pausedAtOf(one) - pausedAtOf(other)), nextCursor: null };
}

export function pausedAtOf({ state }: Pick<Endpoint, 'state'>): number {
  return state.kind === 'paused' ? state.pausedAt : 0;
}

function worstFirst(first: Endpoint, second: Endpoint): number {
  return badnessOf(second) - badnessOf(first);
}

function badnessOf({ state, health }: Endpoint): number {
  if (health.firstFailureAt !== null) return 2;
  return state.kind === 'paused' ? 1 : 0;
}
