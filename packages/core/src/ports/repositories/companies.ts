import type { Access, Company } from '../../domain/access.js';
import type { CompanyId, KeyId } from '../../domain/ids.js';
import type { Added } from './partners.js';

/** Stores companies. */
export interface CompanyRepository {
  add(company: Company): Promise<Added>;
  find(id: CompanyId): Promise<Company | null>;
  /** Locks in order of id until the transaction ends. Must not block inserts that refer to a company. */
  findForUpdate(ids: readonly CompanyId[]): Promise<readonly (Company | null)[]>;
  save(company: Company): Promise<void>;
  list(): Promise<readonly Company[]>;
}

/** Stores which keys may see which companies' jobs. */
export interface AccessRepository {
  find(keyId: KeyId, companyId: CompanyId): Promise<Access | null>;
  save(access: Access): Promise<void>;
  /** Includes revoked access. */
  listOfCompanies(companyIds: readonly CompanyId[]): Promise<readonly Access[]>;
  listOfKey(keyId: KeyId): Promise<readonly Access[]>;
}
