import type { ApplicationRecord } from '../domain/application.js';
import type { AuditFields } from '../domain/audit.js';
import type { KeyId, PartnerId } from '../domain/ids.js';
import type { Environment } from '../domain/partner-key.js';
import type { AddedDetails } from '../features/application-details.js';
import type { Repositories } from '../ports/storage.js';
import type { Scope } from './scope.js';

/** A key that is about to be issued. */
export interface KeyToIssue {
  readonly partnerId: PartnerId;
  readonly environment: Environment;
  readonly override?: { readonly reason: string } | undefined;
}

/** An application before and after a change. */
export interface ChangedApplication {
  readonly before: ApplicationRecord;
  readonly after: ApplicationRecord;
}

/** What a feature does in the commands of others. Each runs in the order of the list of features. */
export interface OperatorHooks {
  /**
   * Called before a key is issued, with its partner locked. Returns what the audit records of it.
   * @throws OperatorError if the key must not be issued.
   */
  readonly keyIssuing?: (scope: Scope, key: KeyToIssue) => Promise<AuditFields>;
  /** Called last of all, because it may lock the feed of the key until the commit. */
  readonly keyIssued?: (
    scope: Scope,
    key: { readonly id: KeyId; readonly environment: Environment },
  ) => Promise<void>;
  /** Called after the change of applications by a command, in its transaction. */
  readonly moved?: (scope: Scope, changes: readonly ChangedApplication[]) => Promise<void>;
  /** Returns what it adds to an application that a command shows. */
  readonly shown?: (read: Repositories, application: ApplicationRecord) => Promise<AddedDetails>;
}
