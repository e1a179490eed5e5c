import { type Access, type Company, grantAccess, isAccessActive, revokeAccess } from '../../domain/access.js';
import type { CompanyId, KeyId } from '../../domain/ids.js';
import type { Environment, PartnerKey } from '../../domain/partner-key.js';
import { OperatorError } from '../../errors.js';
import { findKey, lockCompanies } from '../../operator/find-or-throw.js';
import { groupBy } from '../../operator/group-by.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import { announceAccess } from '../jobs/announce.js';

/** The key and the company that a command is for. */
export interface AccessTarget {
  readonly keyId: KeyId;
  readonly companyId: CompanyId;
}

/** A grant of access. */
export interface AccessGrant extends AccessTarget {
  /**
   * Whether to grant access again if it was revoked; default: true. Pass false if the actor must not undo a revocation.
   */
  readonly renew?: boolean | undefined;
}

/** The access after a command. */
export interface AccessOutcome {
  readonly access: Access;
  /** False if everything was as asked, so that nothing was written. */
  readonly changed: boolean;
}

/** Limits the number of companies that the transaction locks. */
export const MAX_COMPANIES = 1_000;

/** Grants all accesses, or none. Returns an outcome for each, in the given order. */
export async function grantAccesses(
  scope: Scope,
  grants: readonly AccessGrant[],
): Promise<readonly AccessOutcome[]> {
  const companies = await lockAll(scope, grants);
  const keys = new Map<KeyId, PartnerKey>();
  for (const { keyId, companyId } of grants) {
    const key = keys.get(keyId) ?? (await findKey(scope, keyId));
    keys.set(keyId, key);
    const company = companies.get(companyId);
    if (company !== undefined) assertSameEnvironment(key, company);
  }
  const now = await scope.now();
  return changeAccesses(scope, grants, (before, { keyId, companyId, renew = true }) => {
    if (!renew && before !== null && !isAccessActive(before)) throw accessRevoked(before);
    return grantAccess(before, keyId, companyId, now);
  });
}

/** Revokes all accesses, or none. Returns an outcome for each, in the given order. */
export async function revokeAccesses(
  scope: Scope,
  targets: readonly AccessTarget[],
): Promise<readonly AccessOutcome[]> {
  await lockAll(scope, targets);
  const now = await scope.now();
  return changeAccesses(scope, targets, (before, target) => {
    if (before === null) throw accessNotFound(target);
    return revokeAccess(before, now);
  });
}

async function lockAll(
  scope: Scope,
  targets: readonly AccessTarget[],
): Promise<ReadonlyMap<CompanyId, Company>> {
  const ids = [...new Set(targets.map(({ companyId }) => companyId))];
  const companies = await lockCompanies(scope, ids);
  return new Map(companies.map((company) => [company.id, company]));
}

/** An access before and after a command. */
interface AccessChange extends AccessOutcome {
  readonly before: Access | null;
}

/** Lock the companies first. If a list names an access twice, it is changed once. */
async function changeAccesses<Target extends AccessTarget>(
  scope: Scope,
  targets: readonly Target[],
  change: (before: Access | null, target: Target) => Access,
): Promise<readonly AccessOutcome[]> {
  const ids = [...new Set(targets.map(({ companyId }) => companyId))];
  const known = await scope.tx.access.listOfCompanies(ids);
  const previous = new Map(known.map((each) => [nameOf(each), each]));
  const changes = new Map<string, AccessChange>();
  for (const target of targets) {
    const before = previous.get(nameOf(target)) ?? null;
    const access = change(before, target);
    if (!changes.has(nameOf(target))) {
      changes.set(nameOf(target), { access, before, changed: access !== before });
    }
  }
  await save(
    scope,
    [...changes.values()].filter(({ changed }) => changed),
    changes.size,
  );
  return targets.flatMap((target) => {
    const found = changes.get(nameOf(target));
    return found === undefined ? [] : [{ access: found.access, changed: found.changed }];
  });
}

function nameOf({ keyId, companyId }: AccessTarget): string {
  return `${keyId} ${companyId}`;
}

/** Announces to the keys in ascending order, in which transactions lock their feeds. */
async function save(scope: Scope, changes: readonly AccessChange[], named: number): Promise<void> {
  const byKey = [...groupBy(changes, ({ access }) => access.keyId)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const { access } of changes) await scope.tx.access.save(access);
  for (const [keyId, some] of byKey) {
    await announceAccess(
      scope,
      keyId,
      some.map(({ access }) => access),
    );
  }
  recordChanges(scope, changes, named);
}

function recordChanges(scope: Scope, changes: readonly AccessChange[], named: number): void {
  const [first, ...others] = changes;
  if (first === undefined) return;
  const isOfKey = others.every(({ access }) => access.keyId === first.access.keyId);
  const keyId = isOfKey ? first.access.keyId : null;
  const after = { access: describeAccess(first.access) };
  const companies = changes.map(({ access }) => ({ kind: 'company', id: access.companyId }) as const);
  const keys = changes.map(({ access }) => ({ kind: 'key', id: access.keyId }) as const);
  if (named === 1) {
    const objects = [
      { kind: 'company', id: first.access.companyId },
      { kind: 'key', id: first.access.keyId },
    ] as const;
    recordAct(scope, { objects, keyId, before: { access: describeAccess(first.before) }, after });
    return;
  }
  const objects = [{ kind: 'key', id: first.access.keyId }, ...keys, ...companies] as const;
  recordAct(scope, { objects, keyId, count: changes.length, filter: { companies: named }, after });
}

function describeAccess(access: Access | null): 'none' | 'active' | 'revoked' {
  if (access === null) return 'none';
  return isAccessActive(access) ? 'active' : 'revoked';
}

function assertSameEnvironment(key: PartnerKey, company: Company): void {
  if (key.environment !== company.environment) throw mismatchOf(key.id, key.environment, company);
}

export function mismatchOf(key: string, environment: Environment, company: Company): OperatorError {
  return new OperatorError(
    'ENVIRONMENT_MISMATCH',
    `${key} is a ${environment} key, but ${company.id} is a ${company.environment} company. ` +
      `Grant access to the partner's ${company.environment} key instead.`,
  );
}

function accessRevoked({ keyId, companyId }: AccessTarget): OperatorError {
  return new OperatorError(
    'ACCESS_REVOKED',
    `The access of key ${keyId} to company ${companyId} was revoked. To grant it again, call access.grant without \`renew: false\`.`,
  );
}

export function accessNotFound({ keyId, companyId }: AccessTarget): OperatorError {
  return new OperatorError(
    'ACCESS_NOT_FOUND',
    `Company ${companyId} does not grant key ${keyId} access. Grant it with access.grant.`,
  );
}
