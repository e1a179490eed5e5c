import type { Execute } from './execute.js';
import { createListing, type Listing, type ListOptions } from './listing.js';
import type { SyncOptions, SyncReport } from './sync/sync-options.js';
import { createSync } from './sync.js';
import type { Job } from './wire.js';

/** The open jobs of the companies that have let your key in. */
export interface JobsClient {
  /** Spec: `GET /jobs`. */
  list(options?: ListOptions): Listing<Job>;
  /**
   * Brings your copy up to date: reads what changed, and once a day everything, so that it can say which jobs
   * have disappeared. Whatever interrupts it, the next call goes on.
   *
   * @throws PartnerApiError, PartnerConnectionError, and whatever the store throws.
   */
  sync(options: SyncOptions<Job>): Promise<SyncReport>;
}

/** What the client needs to read jobs. */
export interface JobsDeps {
  readonly execute: Execute;
  readonly now: () => number;
  /** Told of which company each job is that was read. */
  readonly learn: (jobId: string, companyId: string) => void;
}

/** Builds the part of the client that reads jobs. */
export function createJobsClient({ execute, now, learn }: JobsDeps): JobsClient {
  const target = {
    path: '/jobs',
    route: { kind: 'list_jobs' },
    onRow: ({ id, company }: Job) => learn(id, company.id),
  } as const;
  const list = (options?: ListOptions) => createListing<Job>(execute, target, options);
  return { list, sync: createSync<Job>({ list, now, instantsOf: ({ updatedAt }) => [updatedAt] }) };
}
