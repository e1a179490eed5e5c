import { type Access, type Company, grantAccess, isAccessActive, revokeAccess } from '../domain/access.js';
import type { CompanyId, KeyId } from '../domain/ids.js';
import type { Environment, PartnerKey } from '../domain/partner-key.js';
import { OperatorError } from '../errors.js';
import type { AccessGrants, AccessOutcome, AccessTarget, AccessTargets } from './access-types.js';
import { announceAccess } from './announce.js';
import { findKey, lockCompanies } from './find-or-throw.js';
import { recordAct, type Scope } from './scope.js';

/** Limits the number of companies that the transaction locks. */
export const MAX_COMPANIES = 1_000;

export async function grantMany(
  scope: Scope,
  { keyId, companyIds, renew = true }: AccessGrants,
): Promise<readonly AccessOutcome[]> {
  const ids = [...new Set(companyIds)];
  const companies = await lockCompanies(scope, ids);
  const key = await findKey(scope, keyId);
  for (const company of companies) assertSameEnvironment(key, company);
  const previous = await listPrevious(scope, keyId, ids);
  for (const each of previous.values()) if (!renew && !isAccessActive(each)) throw accessRevoked(each);
  const now = await scope.now();
  const outcomes = outcomesOf(ids, previous, (before, id) => grantAccess(before, keyId, id, now));
  await save(scope, keyId, outcomes, 'active');
  return companyIds.flatMap((id) => outcomes.get(id) ?? []);
}

export async function revokeMany(
  scope: Scope,
  { keyId, companyIds }: AccessTargets,
): Promise<readonly AccessOutcome[]> {
  const ids = [...new Set(companyIds)];
  await lockCompanies(scope, ids);
  const previous = await listPrevious(scope, keyId, ids);
  const now = await scope.now();
  const outcomes = outcomesOf(ids, previous, (before, companyId) => {
    if (before === null) throw accessNotFound({ keyId, companyId });
    return revokeAccess(before, now);
  });
  await save(scope, keyId, outcomes, 'revoked');
  return companyIds.flatMap((id) => outcomes.get(id) ?? []);
}

type Outcomes = ReadonlyMap<CompanyId, AccessOutcome>;

/** Lock the companies first. */
async function listPrevious(
  { tx }: Scope,
  keyId: KeyId,
  ids: readonly CompanyId[],
): Promise<ReadonlyMap<CompanyId, Access>> {
  const known = await tx.access.listOfCompanies(ids);
  return new Map(known.filter((each) => each.keyId === keyId).map((each) => [each.companyId, each]));
}

function outcomesOf(
  ids: readonly CompanyId[],
  previous: ReadonlyMap<CompanyId, Access>,
  change: (before: Access | null, id: CompanyId) => Access,
): Outcomes {
  return new Map(
    ids.map((id) => {
      const before = previous.get(id) ?? null;
      const access = change(before, id);
      return [id, { access, changed: access !== before }] as const;
    }),
  );
}

async function save(
  scope: Scope,
  keyId: KeyId,
  outcomes: Outcomes,
  state: 'active' | 'revoked',
): Promise<void> {
  const changed = [...outcomes.values()].filter((each) => each.changed).map(({ access }) => access);
  if (changed.length === 0) return;
  for (const access of changed) await scope.tx.access.save(access);
  await announceAccess(scope, keyId, changed);
  const objects = changed.map(({ companyId: id }) => ({ kind: 'company', id }) as const);
  recordAct(scope, {
    objects: [{ kind: 'key', id: keyId }, ...objects],
    keyId,
    count: changed.length,
    filter: { companies: outcomes.size },
    after: { access: state },
  });
}

export function assertSameEnvironment(key: PartnerKey, company: Company): void {
  if (key.environment !== company.environment) throw mismatchOf(key.id, key.environment, company);
}

export function mismatchOf(key: string, environment: Environment, company: Company): OperatorError {
  return new OperatorError(
    'ENVIRONMENT_MISMATCH',
    `${key} is a ${environment} key, but ${company.id} is a ${company.environment} company. ` +
      `Grant access to the partner's ${company.environment} key instead.`,
  );
}

export function accessRevoked({ keyId, companyId }: AccessTarget): OperatorError {
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
