import type { DeliveryFilter, DeliveryState, EventType } from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';
import type { Fields } from '../../http/screen.js';

/** The states of deliveries, for a choice. */
export const DELIVERY_STATES = [
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['dead', 'Dead'],
  ['cancelled', 'Cancelled'],
] as const satisfies readonly (readonly [DeliveryState, string])[];

/** The types of events, for a choice. */
export const DELIVERY_TYPES = [
  ['application.status_changed', 'Application: status changed'],
  ['job.opened', 'Job: opened'],
  ['job.closed', 'Job: closed'],
] as const satisfies readonly (readonly [EventType, string])[];

/** The filter of a list, or why it is not possible. */
export type DeliveryListFilter =
  | { readonly filter: DeliveryFilter; readonly isDefault: boolean }
  | { readonly problem: string };

/** Reads the filter from the address. Without one, it selects what needs help: the dead letters. */
export function readDeliveryFilter(
  query: Fields,
  gate: Pick<Gate, 'isForAllPartners' | 'actor'>,
): DeliveryListFilter {
  const [key, partner, application] = [query.text('key'), query.text('partner'), query.text('application')];
  const state = DELIVERY_STATES.find(([value]) => value === query.text('state'))?.[0] ?? null;
  const onlyFailing = query.text('failing') === 'yes';
  if (key !== null && partner !== null) return { problem: 'Choose a partner key or a partner, not both.' };
  if (onlyFailing && state !== null && state !== 'pending') {
    return { problem: 'A delivery that waits for a retry is pending. Remove the state, or choose Pending.' };
  }
  const rest = restOf(query, state, onlyFailing);
  const owner = {
    keyId: key === null ? undefined : (key as `key_${string}`),
    partnerId: partner === null ? undefined : (partner as `ptn_${string}`),
    applicationId: application === null ? undefined : (application as `ej_app_${string}`),
  };
  const hasOwner = Object.values(owner).some((id) => id !== undefined);
  if (!hasOwner && !gate.isForAllPartners) return withoutOwner(gate, rest);
  if (hasOwner || state !== null || onlyFailing) return { filter: { ...owner, ...rest }, isDefault: false };
  const isDefault = Object.values(rest).every((value) => value === undefined);
  return { filter: { ...rest, state: 'dead' }, isDefault };
}

/** Somebody for one partner sees the deliveries of this partner. Somebody for several chooses one. */
function withoutOwner({ actor }: Pick<Gate, 'actor'>, rest: DeliveryFilter): DeliveryListFilter {
  const [only, ...others] = actor.partnerIds === 'all' ? [] : actor.partnerIds;
  if (only === undefined || others.length > 0) {
    return { problem: 'Your rights cover some partners. Choose a partner key, a partner or an application.' };
  }
  return { filter: { ...rest, partnerId: only }, isDefault: false };
}

function restOf(query: Fields, state: DeliveryState | null, onlyFailing: boolean): DeliveryFilter {
  const type = DELIVERY_TYPES.find(([value]) => value === query.text('type'))?.[0] ?? null;
  const [since, until] = [query.instant('since'), query.instant('until')];
  return {
    state: state ?? undefined,
    onlyFailing: onlyFailing || undefined,
    type: type ?? undefined,
    since: since ?? undefined,
    until: until ?? undefined,
  };
}
