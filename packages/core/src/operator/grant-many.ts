import { type Company, grantAccess, isAccessActive } from '../domain/access.js';
import type { Environment, PartnerKey } from '../domain/partner-key.js';
import { OperatorError } from '../errors.js';
import type { AccessGrants, AccessOutcome, AccessTarget } from './access-types.js';
import { announceGrants } from './announce.js';
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
  const known = await scope.tx.access.listOfCompanies(ids);
  const previous = new Map(
    known.filter((each) => each.keyId === keyId).map((each) => [each.companyId, each]),
  );
  for (const each of previous.values()) if (!renew && !isAccessActive(each)) throw accessRevoked(each);
  const now = await scope.now();
  const outcomes = new Map(
    ids.map((id) => {
      const before = previous.get(id) ?? null;
      const access = grantAccess(before, keyId, id, now);
      return [id, { access, changed: access !== before }] as const;
    }),
  );
  const granted = [...outcomes.values()].filter(({ changed }) => changed).map(({ access }) => access);
  for (const access of granted) await scope.tx.access.save(access);
  await announceGrants(scope, keyId, granted);
  if (granted.length > 0) {
    const objects = granted.map(({ companyId: id }) => ({ kind: 'company', id }) as const);
    recordAct(scope, {
      objects: [{ kind: 'key', id: keyId }, ...objects],
      keyId,
      count: granted.length,
      filter: { companies: ids.length },
      after: { access: 'active' },
    });
  }
  return companyIds.flatMap((id) => outcomes.get(id) ?? []);
}

export function assertSameEnvironment(key: PartnerKey, company: Company): void {
  if (key.environment !== company.environment) throw mismatchOf(key.id, key.environment, company);
}

export function mismatchOf(key: string, environment: Environment, company: Company): OperatorError {
  return new OperatorError(
    'WORLD_MISMATCH',
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
