import type { Claim, CompanyId, KeyId, Operator, PartnerId } from '@partner-hiring/core';
import { findSeenCompanies } from './seen-companies.js';

/** What the gate reads before a command. */
export type Reading = Pick<
  Operator<unknown>,
  'access' | 'applications' | 'deliveries' | 'jobs' | 'keys' | 'operations' | 'requests'
>;

/**
 * Returns whether an object belongs to one of the partners. Reads only the object and its owner. Returns false for an
 * unknown object.
 */
export async function isClaimOf(
  operator: Reading,
  partnerIds: readonly PartnerId[],
  claim: Claim,
): Promise<boolean> {
  switch (claim.on) {
    case 'host':
      return false;
    case 'partner':
      return partnerIds.includes(claim.id);
    case 'key':
      return ownsKey(operator, partnerIds, claim.id);
    case 'application': {
      const found = await operator.applications.find({ id: claim.id });
      return found !== null && ownsKey(operator, partnerIds, found.keyId);
    }
    case 'event': {
      const found = await operator.deliveries.find({ eventId: claim.id });
      return found !== null && ownsKey(operator, partnerIds, found.event.keyId);
    }
    case 'job': {
      const job = await operator.jobs.find({ id: claim.id });
      return job !== null && seesCompany(operator, partnerIds, job.companyId);
    }
    case 'company':
      return seesCompany(operator, partnerIds, claim.id);
    case 'operation': {
      const operation = await operator.operations.find({ id: claim.id });
      if (operation?.plan.kind === 'resend_partner') return partnerIds.includes(operation.plan.partnerId);
      const keyId = operation !== null && 'keyId' in operation.plan ? operation.plan.keyId : null;
      return keyId !== null && ownsKey(operator, partnerIds, keyId);
    }
    case 'request': {
      const request = await operator.requests.find({ requestId: claim.id });
      const partnerId = request?.partnerId ?? null;
      return partnerId !== null && partnerIds.includes(partnerId);
    }
  }
}

async function ownsKey({ keys }: Reading, partnerIds: readonly PartnerId[], keyId: KeyId): Promise<boolean> {
  const found = await keys.find({ keyId });
  return found !== null && partnerIds.includes(found.key.partnerId);
}

async function seesCompany(
  operator: Reading,
  partnerIds: readonly PartnerId[],
  companyId: CompanyId,
): Promise<boolean> {
  return (await findSeenCompanies(operator, partnerIds, [companyId])).has(companyId);
}
