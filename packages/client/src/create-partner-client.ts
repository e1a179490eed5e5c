import { type ApplicationsClient, createApplicationsClient } from './applications.js';
import { type ClientOptions, readOptions } from './client-options.js';
import { createExecute } from './execute.js';
import { createJobsClient, type JobsClient } from './jobs.js';
import { createTraffic } from './traffic.js';

/** The partner API for one key. Build one and share it: limits are kept per client. */
export interface PartnerClient {
  readonly jobs: JobsClient;
  readonly applications: ApplicationsClient;
}

/**
 * Builds a client. It has no connections of its own and needs no closing.
 *
 * @throws TypeError if an option does not fit; the message says how to put it right.
 */
export function createPartnerClient(options: ClientOptions): PartnerClient {
  const settings = readOptions(options);
  const { clock, submissions, scope } = settings;
  const traffic = createTraffic(clock, settings);
  const deps = { execute: createExecute({ ...settings, traffic }), now: clock.now, learn: traffic.learn };
  return {
    jobs: createJobsClient(deps),
    applications: createApplicationsClient({ ...deps, store: submissions, scope }),
  };
}
