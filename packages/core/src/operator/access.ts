import { type Access, grantAccess, isAccessActive, revokeAccess, startBootstrap } from '../domain/access.js';
import type { CompanyId, KeyId } from '../domain/ids.js';
import { OperatorError } from '../errors.js';
import { announceAccess } from './announce.js';
import { findKey, lockCompany } from './find-or-throw.js';
import type { Runner, Scope } from './scope.js';

/** A key and a company. */
export interface AccessTarget {
  readonly keyId: KeyId;
  readonly companyId: CompanyId;
}

/** The access after a command. */
export interface AccessOutcome {
  readonly access: Access;
  readonly changed: boolean;
}

/** Manages which keys see a company's jobs and submit to them. Spec: Authentication, 3. */
export interface AccessCommands {
  /**
   * Grants access. The company's open jobs become visible, with a `job.opened` event each.
   * @throws OperatorError `COMPANY_NOT_FOUND`, `KEY_NOT_FOUND`, or `WORLD_MISMATCH` if environments differ.
   * @example
   * const { changed } = await operator.access.grant({ keyId, companyId });
   */
  grant(target: AccessTarget): Promise<AccessOutcome>;
  /**
   * Revokes access, with `job.closed` (`access_revoked`) per visible job. Applications stay readable.
   * @throws OperatorError `COMPANY_NOT_FOUND`, or `ACCESS_NOT_FOUND` if the key never had access.
   * @example
   * await operator.access.revoke({ keyId, companyId });
   */
  revoke(target: AccessTarget): Promise<AccessOutcome>;
  /**
   * Multiplies the submission limit by five for 24 hours. Spec: Limits, rule 2.
   * @throws OperatorError `COMPANY_NOT_FOUND`, or `ACCESS_NOT_FOUND` if the key has no access now.
   * @example
   * const { bootstrapUntil } = await operator.access.enableBootstrap({ keyId, companyId });
   */
  enableBootstrap(target: AccessTarget): Promise<Access>;
  /**
   * Returns the access records of a key, including revoked ones.
   * @example
   * const records = await operator.access.list({ keyId });
   * const active = records.filter(({ revokedAt }) => revokedAt === null);
   */
  list(filter: { readonly keyId: KeyId }): Promise<readonly Access[]>;
}

export function accessCommands({ run, read }: Runner): AccessCommands {
  return {
    grant: (target) => run((scope) => grant(scope, target)),
    revoke: (target) => run((scope) => revoke(scope, target)),
    enableBootstrap: (target) => run((scope) => enableBootstrap(scope, target)),
    list: ({ keyId }) => read.access.listOfKey(keyId),
  };
}

export async function grant(scope: Scope, { keyId, companyId }: AccessTarget): Promise<AccessOutcome> {
  const company = await lockCompany(scope, companyId);
  const key = await findKey(scope, keyId);
  if (key.environment !== company.environment) {
    throw new OperatorError(
      'WORLD_MISMATCH',
      `${keyId} is a ${key.environment} key, but ${companyId} is a ${company.environment} company. ` +
        `Grant access to the partner's ${company.environment} key instead.`,
    );
  }
  const previous = await scope.tx.access.find(keyId, companyId);
  const access = grantAccess(previous, keyId, companyId, await scope.now());
  return save(scope, access, previous);
}

export async function revoke(scope: Scope, target: AccessTarget): Promise<AccessOutcome> {
  const previous = await lockAccess(scope, target);
  if (previous === null) throw accessNotFound(target);
  return save(scope, revokeAccess(previous, await scope.now()), previous);
}

async function enableBootstrap(scope: Scope, target: AccessTarget): Promise<Access> {
  const previous = await lockAccess(scope, target);
  if (previous === null || !isAccessActive(previous)) throw accessNotFound(target);
  const access = startBootstrap(previous, await scope.now());
  await scope.tx.access.save(access);
  return access;
}

async function lockAccess(scope: Scope, { keyId, companyId }: AccessTarget): Promise<Access | null> {
  await lockCompany(scope, companyId);
  return scope.tx.access.find(keyId, companyId);
}

async function save(scope: Scope, access: Access, previous: Access | null): Promise<AccessOutcome> {
  if (access === previous) return { access, changed: false };
  await scope.tx.access.save(access);
  await announceAccess(scope, access);
  return { access, changed: true };
}

function accessNotFound({ keyId, companyId }: AccessTarget): OperatorError {
  return new OperatorError(
    'ACCESS_NOT_FOUND',
    `Company ${companyId} does not grant key ${keyId} access. Grant it with access.grant.`,
  );
}
