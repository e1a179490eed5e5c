import { type Access, grantAccess, isAccessActive, revokeAccess, startBootstrap } from '../domain/access.js';
import type { CompanyId, KeyId } from '../domain/ids.js';
import { OperatorError } from '../errors.js';
import { announceAccess } from './announce.js';
import { lockCompany } from './companies.js';
import { findKey } from './keys/find-key.js';
import type { Runner, Scope } from './scope.js';

/** A key and a company. */
export interface AccessTarget {
  readonly keyId: KeyId;
  readonly companyId: CompanyId;
}

/** An access record after a command, and whether the command changed it. */
export interface AccessOutcome {
  readonly access: Access;
  readonly changed: boolean;
}

/** Which companies let which keys see their jobs and submit to them. Spec: Authentication, 3. */
export interface AccessCommands {
  /**
   * Lets a key in: the company's open jobs become visible to it, with `job.opened` for each.
   *
   * @throws OperatorError `COMPANY_NOT_FOUND`, `KEY_NOT_FOUND`, or `WORLD_MISMATCH` between production and
   *   sandbox.
   */
  grant(target: AccessTarget): Promise<AccessOutcome>;
  /**
   * Shuts a key out: `job.closed` with `access_revoked` for each job it saw. It still reads its applications.
   *
   * @throws OperatorError `COMPANY_NOT_FOUND`, or `ACCESS_NOT_FOUND` if it never had access.
   */
  revoke(target: AccessTarget): Promise<AccessOutcome>;
  /**
   * Five times the submission limit for 24 hours from now, then back by itself. Spec: Limits, rule 2.
   *
   * @throws OperatorError `COMPANY_NOT_FOUND`, or `ACCESS_NOT_FOUND` if it has no access now.
   */
  enableBootstrap(target: AccessTarget): Promise<Access>;
  /** Every record of a key, revoked ones included. */
  list(filter: { readonly keyId: KeyId }): Promise<readonly Access[]>;
}

/** Builds the commands about access. */
export function accessCommands({ run, read }: Runner): AccessCommands {
  return {
    grant: (target) => run((scope) => grant(scope, target)),
    revoke: (target) => run((scope) => revoke(scope, target)),
    enableBootstrap: (target) => run((scope) => enableBootstrap(scope, target)),
    list: ({ keyId }) => read.access.listOfKey(keyId),
  };
}

/** Lets a key in. Throws what `AccessCommands` says. */
export async function grant(scope: Scope, { keyId, companyId }: AccessTarget): Promise<AccessOutcome> {
  const company = await lockCompany(scope, companyId);
  const key = await findKey(scope, keyId);
  if (key.environment !== company.environment) {
    throw new OperatorError(
      'WORLD_MISMATCH',
      `${keyId} is a ${key.environment} key and ${companyId} a ${company.environment} company. ` +
        `Grant access to the partner's ${company.environment} key.`,
    );
  }
  const previous = await scope.tx.access.find(keyId, companyId);
  const access = grantAccess(previous, keyId, companyId, await scope.now());
  return commit(scope, access, previous);
}

/** Shuts a key out. Throws what `AccessCommands` says. */
export async function revoke(scope: Scope, target: AccessTarget): Promise<AccessOutcome> {
  const previous = await lockAccess(scope, target);
  if (previous === null) throw accessNotFound(target);
  return commit(scope, revokeAccess(previous, await scope.now()), previous);
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

async function commit(scope: Scope, access: Access, previous: Access | null): Promise<AccessOutcome> {
  if (access === previous) return { access, changed: false };
  await scope.tx.access.save(access);
  await announceAccess(scope, access);
  return { access, changed: true };
}

function accessNotFound({ keyId, companyId }: AccessTarget): OperatorError {
  return new OperatorError(
    'ACCESS_NOT_FOUND',
    `${companyId} does not grant ${keyId} access. Use access.grant to grant it.`,
  );
}
