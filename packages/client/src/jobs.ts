import type { Execute } from './execute.js';
import { createListing, type Listing, type ListOptions } from './listing.js';
import { createSync, type SyncOptions, type SyncReport } from './sync.js';
import type { Job } from './wire.js';
import { JOB_SHAPE } from './wire-shapes.js';

/** The open jobs of the companies that gave your key access. */
export interface JobsClient {
  /**
   * Lists open jobs. Contract: 5.1, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
   * @example
   * for await (const job of client.jobs.list()) console.log(job.id, job.title);
   */
  list(options?: ListOptions): Listing<Job>;
  /**
   * Updates your copy of the jobs. Reads the changed jobs. Once a day, it reads all jobs to find those that left
   * the list. If a call is interrupted, the next call completes the update.
   * @throws PartnerApiError, PartnerConnectionError, or the store's error.
   * @example
   * const store = createMemorySyncStore<Job>();
   * const { kind, rows, disappeared } = await client.jobs.sync({ store });
   * console.log(`${kind}: ${rows} rows, ${disappeared.length} gone`);
   */
  sync(options: SyncOptions<Job>): Promise<SyncReport>;
}

export interface JobsDeps {
  readonly execute: Execute;
  readonly now: () => number;
  /** Called with the company of each job read. */
  readonly learn: (jobId: string, companyId: string) => void;
}

export function createJobsClient({ execute, now, learn }: JobsDeps): JobsClient {
  const target = {
    path: '/jobs',
    route: { kind: 'list_jobs' },
    shape: JOB_SHAPE,
    onRow: ({ id, company }: Job) => learn(id, company.id),
  } as const;
  const list = (options?: ListOptions) => createListing<Job>(execute, target, options);
  return { list, sync: createSync<Job>({ list, now }) };
}
