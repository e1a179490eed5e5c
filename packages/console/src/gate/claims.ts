import type {
  ApplicationId,
  CompanyId,
  EventId,
  JobId,
  KeyId,
  OperationId,
  PartnerId,
} from '@partner-hiring/core';

/**
 * An object that a command reads or changes. An actor whose rights cover some partners needs it to belong to one of them. `host`
 * is everything that belongs to no single partner: only actors for all partners have it.
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

/** Returns the claims of an input. All of them must hold. */
export type ClaimsOf<Input> = (input: Input) => readonly [Claim, ...Claim[]];

/** Belongs to no single partner. */
export const ON_HOST = (): readonly [Claim] => [{ on: 'host' }];

/** Belongs to a key. Without a key, the command covers all partners. */
export const ON_KEY = (input: { readonly keyId?: KeyId | undefined } | undefined): readonly [Claim] =>
  input?.keyId === undefined ? ON_HOST() : [{ on: 'key', id: input.keyId }];

/** Belongs to an application. */
export const ON_APPLICATION = ({ id }: { readonly id: ApplicationId }): readonly [Claim] => [
  { on: 'application', id },
];

/** Belongs to a job, which belongs to the partners that have access to its company. */
export const ON_JOB = ({ id }: { readonly id: JobId }): readonly [Claim] => [{ on: 'job', id }];
