import type { Application, ApplicationRecord, ResumeState } from '../../domain/application.js';
import type { ApplicationId, CompanyId, JobId, KeyId } from '../../domain/ids.js';
import type { FeedPage, ListQuery } from '../../domain/page.js';

/** Applications, for their partners and for the host. */
export interface ApplicationRepository {
  /** For each pair the application, or null if it is unknown or another key's. */
  findOwned(
    pairs: readonly { readonly keyId: KeyId; readonly id: string }[],
  ): Promise<readonly (Application | null)[]>;
  /** For each pair the application that carries the partner's own id, or null. */
  findBySourceIds(
    pairs: readonly { readonly keyId: KeyId; readonly sourceApplicationId: string }[],
  ): Promise<readonly (Pick<Application, 'id'> | null)[]>;
  /** With what only the host reads. Waits for nobody. */
  find(ids: readonly ApplicationId[]): Promise<readonly (ApplicationRecord | null)[]>;
  /** The same, locked in ascending order of id until the transaction ends. */
  findForUpdate(ids: readonly ApplicationId[]): Promise<readonly (ApplicationRecord | null)[]>;
  /** Replaces status, stage and the three instants. */
  saveProgress(applications: readonly Application[]): Promise<void>;
  /** Records how fetching the résumé went. */
  saveResume(id: ApplicationId, resume: ResumeState): Promise<void>;
  /** A page of a key's applications, in the order of its feed. */
  page(query: ListQuery): Promise<FeedPage<Application>>;
  /** The newest applications to a job or of a company, for the host; all with nulls. */
  listRecent(filter: {
    readonly jobId: JobId | null;
    readonly companyId: CompanyId | null;
    readonly limit: number;
  }): Promise<readonly ApplicationRecord[]>;
}
