import {
  type CompanyId,
  type JobId,
  type KeyId,
  type OperatorCommands,
  OperatorError,
  type PartnerId,
} from '@partner-hiring/core';

/**
 * Reports a mistyped id. Lists return nothing for an unknown id, which looks like success.
 *
 * @throws OperatorError `KEY_NOT_FOUND`.
 */
export async function keyMustExist({ keys }: OperatorCommands, id: KeyId): Promise<void> {
  if ((await keys.find({ keyId: id })) !== null) return;
  throw new OperatorError('KEY_NOT_FOUND', `Key ${id} does not exist. Run: keys list`);
}

/** @throws OperatorError `PARTNER_NOT_FOUND`. */
export async function partnerMustExist({ partners }: OperatorCommands, id: PartnerId): Promise<void> {
  if ((await partners.find({ id })) !== null) return;
  throw new OperatorError('PARTNER_NOT_FOUND', `Partner ${id} does not exist. Run: partners list`);
}

/** @throws OperatorError `COMPANY_NOT_FOUND`. */
export async function companyMustExist({ companies }: OperatorCommands, id: CompanyId): Promise<void> {
  if ((await companies.find({ id })) !== null) return;
  throw new OperatorError('COMPANY_NOT_FOUND', `Company ${id} does not exist. Run: companies list`);
}

/** @throws OperatorError `JOB_NOT_FOUND`. */
export async function jobMustExist({ jobs }: OperatorCommands, id: JobId): Promise<void> {
  if ((await jobs.find({ id })) !== null) return;
  throw new OperatorError('JOB_NOT_FOUND', `Job ${id} does not exist. Run: jobs list`);
}
