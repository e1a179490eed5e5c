import type { Access } from '../../domain/access.js';
import type { CompanyId, KeyId } from '../../domain/ids.js';

/** Which company lets which key see its jobs, or once did. */
export interface AccessRepository {
  find(keyId: KeyId, companyId: CompanyId): Promise<Access | null>;
  save(access: Access): Promise<void>;
  /** Every record of these companies, revoked ones included. */
  listOfCompanies(companyIds: readonly CompanyId[]): Promise<readonly Access[]>;
  listOfKey(keyId: KeyId): Promise<readonly Access[]>;
}
