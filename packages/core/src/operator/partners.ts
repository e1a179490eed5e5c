import type { PartnerId } from '../domain/ids.js';
import type { Partner } from '../domain/partner-key.js';
import { OperatorError } from '../errors.js';
import { inspect, inspectName, inspectNewId } from './input/inspection.js';
import type { Runner, Scope } from './scope.js';

/** A partner to let in. */
export interface NewPartner {
  readonly name: string;
  /** The host's own id; one is made if it is left out. */
  readonly id?: PartnerId;
}

/** Which applicant-tracking systems exist. */
export interface PartnerCommands {
  /** @throws OperatorError `INVALID_INPUT`, or `PARTNER_EXISTS` if the id is taken. */
  add(partner: NewPartner): Promise<Partner>;
  /** The partner, or null. */
  find(partner: { readonly id: PartnerId }): Promise<Partner | null>;
  /** All partners, oldest first. */
  list(): Promise<readonly Partner[]>;
}

/** Builds the commands about partners. */
export function partnerCommands({ run, read }: Runner): PartnerCommands {
  return {
    add: (partner) => run((scope) => addPartner(scope, partner)),
    find: ({ id }) => read.partners.find(id),
    list: () => read.partners.list(),
  };
}

async function addPartner({ tx, runtime, now }: Scope, { id, name }: NewPartner): Promise<Partner> {
  const inspection = inspect('partners.add');
  inspectName(inspection, name, 'name');
  inspectNewId(inspection, 'partner', id);
  inspection.end();
  const partner = { id: id ?? runtime.ids.next('partner'), name, createdAt: await now() };
  if ((await tx.partners.add(partner)) === 'exists') {
    throw new OperatorError('PARTNER_EXISTS', `The partner ${partner.id} exists. Use another id, or none.`);
  }
  return partner;
}
