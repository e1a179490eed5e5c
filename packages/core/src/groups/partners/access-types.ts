import type { Access } from '../../domain/access.js';
import type { CompanyId, KeyId } from '../../domain/ids.js';

/** The key and the company that a command is for. */
export interface AccessTarget {
  readonly keyId: KeyId;
  readonly companyId: CompanyId;
}

/** A grant of access. */
export interface AccessGrant extends AccessTarget {
  /**
   * Whether to grant access again if it was revoked; default: true. Pass false if the actor must not undo a revocation.
   */
  readonly renew?: boolean | undefined;
}

/** The access after a command. */
export interface AccessOutcome {
  readonly access: Access;
  /** False if everything was as asked, so that nothing was written. */
  readonly changed: boolean;
}
