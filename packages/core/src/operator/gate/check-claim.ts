import type { CompanyId, KeyId, PartnerId } from '../../domain/ids.js';
import type { PartnerKey } from '../../domain/partner-key.js';
import { toStorableText } from '../../domain/text.js';
import type { Repositories } from '../../ports/storage.js';
import type { Claim, Claims } from '../command/claims.js';
import { findSeenCompanies } from './seen-by-partners.js';

/** Finds a key of the partners. Null for an unknown key, and for a key of another partner. */
export async function findOwnKey(
  { keys }: Pick<Repositories, 'keys'>,
  partnerIds: readonly PartnerId[],
  keyId: KeyId,
): Promise<PartnerKey | null> {
  const key = await keys.find(storable(keyId));
  return key !== null && partnerIds.includes(key.partnerId) ? key : null;
}

/** Returns the first claim that the partners do not meet, because its object is unknown or belongs to another partner. */
export async function findForeign(
  read: Repositories,
  partnerIds: readonly PartnerId[],
  claims: Claims,
): Promise<Claim | null> {
  for (const claim of claims) {
    if (!(await isClaimOf(read, partnerIds, claim))) return claim;
  }
  return null;
}

/** Reads only the object and its owner. */
async function isClaimOf(
  read: Repositories,
  partnerIds: readonly PartnerId[],
  claim: Claim,
): Promise<boolean> {
  const ownsKey = async (keyId: KeyId | null | undefined) =>
    keyId != null && (await findOwnKey(read, partnerIds, keyId)) !== null;
  const seesCompany = async (id: CompanyId) => (await findSeenCompanies(read, partnerIds, [id])).has(id);
  switch (claim.on) {
    case 'host':
      return false;
    case 'partner':
      return partnerIds.includes(claim.id);
    case 'key':
      return ownsKey(claim.id);
    case 'application': {
      const [found] = await read.applications.find([storable(claim.id)]);
      return ownsKey(found?.keyId);
    }
    case 'event':
      return ownsKey(await read.events.findKey(storable(claim.id)));
    case 'job': {
      const [job] = await read.jobs.findOutlines([storable(claim.id)]);
      return job != null && seesCompany(job.companyId);
    }
    case 'company':
      return seesCompany(storable(claim.id));
    case 'operation': {
      const plan = (await read.operations.find(storable(claim.id)))?.plan;
      if (plan?.kind === 'resend_partner') return partnerIds.includes(plan.partnerId);
      if (plan?.kind !== 'bulk') return plan !== undefined && 'keyId' in plan && ownsKey(plan.keyId);
      for (const keyId of plan.keyIds ?? [null]) if (!(await ownsKey(keyId))) return false;
      return true;
    }
    case 'request':
      return ownsKey((await read.requests.find(storable(claim.id)))?.keyId);
  }
}

function storable<Id extends string>(id: Id): Id {
  return toStorableText(id) as Id;
}
