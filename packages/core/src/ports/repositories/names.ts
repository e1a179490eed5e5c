import type { CompanyId, JobId, KeyId, PartnerId } from '../../domain/ids.js';
import type { Environment } from '../../domain/partner-key.js';

/** The partner that owns a key, and the key's environment. */
export interface KeyOwner {
  readonly partnerId: PartnerId;
  readonly partnerName: string;
  readonly environment: Environment;
}

/** Finds the names that lists show beside ids. */
export interface NameRepository {
  ofKeys(ids: readonly KeyId[]): Promise<readonly (KeyOwner | null)[]>;
  ofCompanies(ids: readonly CompanyId[]): Promise<readonly (string | null)[]>;
  ofJobs(ids: readonly JobId[]): Promise<readonly (string | null)[]>;
}
