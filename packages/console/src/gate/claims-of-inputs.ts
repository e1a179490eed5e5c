import type { AuditFilter, AuditObject } from '@partner-hiring/core';
import { type Claim, ON_HOST } from './claims.js';
import type { InputOf } from './command-types.js';

/** Belongs to a key and to a company. */
export function onAccess({ keyId, companyId }: InputOf<'access.grant'>): readonly [Claim, Claim] {
  return [
    { on: 'key', id: keyId },
    { on: 'company', id: companyId },
  ];
}

/** A filter may name a key or a partner, and an application. All of them must belong to the actor's partners. */
export function onDeliveries({
  keyId,
  partnerId,
  applicationId,
}: InputOf<'deliveries.list'>): readonly [Claim, ...Claim[]] {
  const [first, ...others] = [
    ...(keyId === undefined ? [] : [{ on: 'key', id: keyId } as const]),
    ...(partnerId === undefined ? [] : [{ on: 'partner', id: partnerId } as const]),
    ...(applicationId === undefined ? [] : [{ on: 'application', id: applicationId } as const]),
  ];
  return first === undefined ? ON_HOST() : [first, ...others];
}

/** Belongs to the key, or to the key of the event. */
export function onDelivery({ keyId, eventId }: InputOf<'deliveries.find'>): readonly [Claim] {
  return keyId === undefined ? [{ on: 'event', id: eventId }] : [{ on: 'key', id: keyId }];
}

/** Belongs to a partner. Without one, the command covers all partners. */
export function onPartner(input: InputOf<'keys.list'>): readonly [Claim] {
  return input?.partnerId === undefined ? ON_HOST() : [{ on: 'partner', id: input.partnerId }];
}

/** A search by e-mail or phone finds the applications of all partners. */
export function onCandidate({ applicationId: id }: InputOf<'candidates.erase'>): readonly [Claim] {
  return id === undefined ? ON_HOST() : [{ on: 'application', id }];
}

/** Belongs to an operation, which belongs to the key of its plan. */
export function onOperation({ id }: InputOf<'operations.find'>): readonly [Claim] {
  return [{ on: 'operation', id }];
}

/** Belongs to the key, the partner or the application of a filter. */
export function onRequests(filter: InputOf<'requests.list'>): readonly [Claim] {
  if (filter?.keyId !== undefined) return [{ on: 'key', id: filter.keyId }];
  if (filter?.partnerId !== undefined) return [{ on: 'partner', id: filter.partnerId }];
  if (filter?.applicationId !== undefined) return [{ on: 'application', id: filter.applicationId }];
  return ON_HOST();
}

/** The object that a filter of the audit selects, if it selects one. */
export function auditObjectOf(filter: AuditFilter = {}): AuditObject | undefined {
  return filter.keyId === undefined ? filter.object : { kind: 'key', id: filter.keyId };
}

/** A delivery has the id of its event, which does not tell its key. */
export function onAuditObject(object: AuditObject | undefined): Claim {
  switch (object?.kind) {
    case 'partner':
      return { on: 'partner', id: object.id as `ptn_${string}` };
    case 'key':
    case 'endpoint':
      return { on: 'key', id: object.id as `key_${string}` };
    case 'application':
      return { on: 'application', id: object.id as `ej_app_${string}` };
    default:
      return { on: 'host' };
  }
}
