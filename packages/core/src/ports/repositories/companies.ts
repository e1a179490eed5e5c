import type { Access, Company } from '../../domain/access.js';
import type { CompanyId, KeyId } from '../../domain/ids.js';
import type { Added, AgePosition, ListPage } from './partners.js';

/** Stores companies. */
export interface CompanyRepository {
  add(company: Company): Promise<Added>;
  find(id: CompanyId): Promise<Company | null>;
  /**
   * Locks companies in order of id until the transaction ends. The lock must not block inserts that refer to
   * a company.
   */
  findForUpdate(ids: readonly CompanyId[]): Promise<readonly (Company | null)[]>;
  save(company: Company): Promise<void>;
  /** Lists companies, oldest first. Without a page, lists all. */
  list(page?: ListPage<AgePosition<CompanyId>>): Promise<readonly Company[]>;
}

/** A page of a key's access. */
export interface AccessListPage extends ListPage<CompanyId> {
  /** Leaves out revoked access. */
  readonly onlyActive: boolean;
}

/** Stores which keys may see the jobs of which companies. */
export interface AccessRepository {
  find(keyId: KeyId, companyId: CompanyId): Promise<Access | null>;
  save(access: Access): Promise<void>;
  /** Includes revoked access. */
  listOfCompanies(companyIds: readonly CompanyId[]): Promise<readonly Access[]>;
  /** Lists a key's access by company. Without a page, lists all, including revoked access. */
  listOfKey(keyId: KeyId, page?: AccessListPage): Promise<readonly Access[]>;
}
