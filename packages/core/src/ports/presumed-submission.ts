import type { Bucket, WindowCount } from '../domain/rate-limit.js';
import type { JobForKey } from '../domain/submission.js';
import type { KeyOfSecret } from './repositories/keys.js';
import type { AcceptedSubmission } from './repositories/submissions.js';

/** A submission that was accepted by what was remembered, and all that was presumed of the storage. */
export interface PresumedSubmission {
  /** Whose the secret is, and when it ends. It may have been used since. */
  readonly caller: KeyOfSecret;
  /** The job, its company, and the key's access. */
  readonly found: JobForKey;
  /** The key's guard, of which something must be left. */
  readonly guard: Bucket;
  /** Where the submission is counted, and must be within the limit. */
  readonly bucket: Bucket;
  /** All that it leaves behind. The stamp is that of the application's change: the feed must give exactly this one. */
  readonly submission: AcceptedSubmission;
}

/**
 * Adds a submission in one step that commits by itself, durable once it resolves: counts it, takes its stamp, adds
 * application, idempotency record (replacing an expired one) and résumé task, if all of this can be done and all
 * that was presumed is so. Answers what its bucket then holds.
 *
 * Null: something was otherwise, and nothing was done, nor counted. It may be too careful: a guard that was used up
 * in a window that is over counts as used up.
 *
 * @throws StorageUnavailable when the storage is down, or it is unknown whether it was done.
 */
export type AddPresumed = (presumed: PresumedSubmission) => Promise<WindowCount | null>;
