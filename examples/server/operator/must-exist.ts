import { type OperatorCommands, OperatorError } from '@partner-hiring/core';
import type { CompanyId, JobId, KeyId, PartnerId } from '@partner-hiring/core/ports';

/**
 * Lists answer nothing for an id that is nobody's, as for one that has nothing: where all went well that a mistyped
 * key was sent, nobody looks further.
 *
 * @throws OperatorError `KEY_NOT_FOUND`.
 */
export async function keyMustExist({ keys }: OperatorCommands, id: KeyId): Promise<void> {
  if ((await keys.find({ keyId: id })) !== null) return;
  throw new OperatorError('KEY_NOT_FOUND', `There is no key ${id}. See keys list`);
}

/** @throws OperatorError `PARTNER_NOT_FOUND`. */
export async function partnerMustExist({ partners }: OperatorCommands, id: PartnerId): Promise<void> {
  if ((await partners.find({ id })) !== null) return;
  throw new OperatorError('PARTNER_NOT_FOUND', `There is no partner ${id}. See partners list`);
}

/** @throws OperatorError `COMPANY_NOT_FOUND`. */
export async function companyMustExist({ companies }: OperatorCommands, id: CompanyId): Promise<void> {
  if ((await companies.find({ id })) !== null) return;
  throw new OperatorError('COMPANY_NOT_FOUND', `There is no company ${id}. See companies list`);
}

/** @throws OperatorError `JOB_NOT_FOUND`. */
export async function jobMustExist({ jobs }: OperatorCommands, id: JobId): Promise<void> {
  if ((await jobs.find({ id })) !== null) return;
  throw new OperatorError('JOB_NOT_FOUND', `There is no job ${id}. See jobs list`);
}
