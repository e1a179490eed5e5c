import type {
  ApplicationId,
  CompanyId,
  EventId,
  JobId,
  KeyId,
  OperationId,
  PartnerId,
} from '../../domain/ids.js';
import type { Optional } from '../../domain/optional.js';

/**
 * An object that a command reads or changes: a person limited to some partners may touch it if it belongs to one of
 * them. `host` belongs to no single partner, and requires rights for all. A key, event, application, request or
 * operation belongs to the partner of its key; a company, and its jobs, to each partner with access to it.
 */
export type Claim =
  | { readonly on: 'host' }
  | { readonly on: 'partner'; readonly id: PartnerId }
  | { readonly on: 'key'; readonly id: KeyId }
  | { readonly on: 'application'; readonly id: ApplicationId }
  | { readonly on: 'event'; readonly id: EventId }
  | { readonly on: 'company'; readonly id: CompanyId }
  | { readonly on: 'job'; readonly id: JobId }
  | { readonly on: 'operation'; readonly id: OperationId }
  | { readonly on: 'request'; readonly id: string };

/** The claims of an input. The actor must meet all of them. */
export type Claims = readonly [Claim, ...Claim[]];

/** Belongs to no single partner. */
export function onHost(): readonly [Claim] {
  return [{ on: 'host' }];
}

/** Belongs to a key. Without a key, the command covers all partners. */
export function onKey({ keyId: id }: Optional<{ keyId: KeyId }>): readonly [Claim] {
  return id === undefined ? onHost() : [{ on: 'key', id }];
}

/** Belongs to a key: a command of the key itself. */
export function onOwnKey({ id }: { readonly id: KeyId }): readonly [Claim] {
  return [{ on: 'key', id }];
}

/** Belongs to a partner. Without one, the command covers all partners. */
export function onPartner({ partnerId: id }: Optional<{ partnerId: PartnerId }>): readonly [Claim] {
  return id === undefined ? onHost() : [{ on: 'partner', id }];
}

/** Belongs to an application. */
export function onApplication({ id }: { readonly id: ApplicationId }): readonly [Claim] {
  return [{ on: 'application', id }];
}

/** Belongs to a job, which belongs to the partners that have access to its company. */
export function onJob({ id }: { readonly id: JobId }): readonly [Claim] {
  return [{ on: 'job', id }];
}

/** Belongs to a company, which belongs to the partners that have access to it. Without one, the command covers all companies. */
export function onCompany({ companyId: id }: Optional<{ companyId: CompanyId }>): readonly [Claim] {
  return id === undefined ? onHost() : [{ on: 'company', id }];
}

/** Belongs to a key and to a company. */
export function onAccess(target: { readonly keyId: KeyId; readonly companyId: CompanyId }): Claims {
  return [...onKey(target), ...onCompany(target)];
}

/** What a filter may name: a key or a partner, and also an application. */
interface Named {
  readonly keyId: KeyId;
  readonly partnerId: PartnerId;
  readonly applicationId: ApplicationId;
}

/** Belongs to each object that a filter names. Without one, the command covers all partners. */
export function onFilter({ keyId, partnerId, applicationId }: Optional<Named>): Claims {
  const [first, ...others] = [
    ...(keyId === undefined ? [] : onKey({ keyId })),
    ...(partnerId === undefined ? [] : onPartner({ partnerId })),
    ...(applicationId === undefined ? [] : onApplication({ id: applicationId })),
  ];
  return first === undefined ? onHost() : [first, ...others];
}

/** Belongs to an operation, which belongs to the key of its plan. */
export function onOperation({ id }: { readonly id: OperationId }): readonly [Claim] {
  return [{ on: 'operation', id }];
}
