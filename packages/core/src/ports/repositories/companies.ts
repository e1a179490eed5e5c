import type { Access, Company } from '../../domain/access.js';
import type { CompanyId, KeyId } from '../../domain/ids.js';
import type { Added } from './partners.js';

/** The employers whose jobs are offered. */
export interface CompanyRepository {
  add(company: Company): Promise<Added>;
  find(id: CompanyId): Promise<Company | null>;
  /**
   * For each id the company or null, locked in ascending order of id until the transaction ends. Whatever
   * changes who sees a company's jobs begins here: a grant and a publication at the same moment would
   * otherwise miss each other. Adding rows that refer to a company need not wait.
   */
  findForUpdate(ids: readonly CompanyId[]): Promise<readonly (Company | null)[]>;
  /** Replaces the name. */
  save(company: Company): Promise<void>;
  /** All companies, oldest first. */
  list(): Promise<readonly Company[]>;
}

/** Which company lets which key see its jobs, or once did. */
export interface AccessRepository {
  find(keyId: KeyId, companyId: CompanyId): Promise<Access | null>;
  save(access: Access): Promise<void>;
  /** Every record of these companies, revoked ones included. */
  listOfCompanies(companyIds: readonly CompanyId[]): Promise<readonly Access[]>;
  listOfKey(keyId: KeyId): Promise<readonly Access[]>;
}
