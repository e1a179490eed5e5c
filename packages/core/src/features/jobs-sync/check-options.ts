import {
  checkNumbers,
  checkOptionNames,
  checkPort,
  checkSwitches,
  MAKER,
  type OptionNames,
} from '../../defaults/option-checks.js';
import { misconfiguration } from '../../errors.js';
import type { JobsOption } from './job-sync-runner.js';
import { MISSING_JOBS } from './rules.js';

const JOBS: OptionNames<JobsOption> = {
  read: true,
  everyMs: true,
  missing: true,
  missingShareAtMost: true,
  adopt: true,
};

/** Checks the option `jobs`. @throws OperatorError `MISCONFIGURED` */
export function checkJobs(jobs: unknown): void {
  if (jobs === undefined) return;
  checkPort('jobs', jobs, ['read']);
  checkOptionNames(MAKER, jobs as object, JOBS, 'jobs');
  const { everyMs, missing, missingShareAtMost: share, adopt } = jobs as Partial<JobsOption>;
  checkNumbers('jobs', { everyMs }, JOBS);
  checkSwitches(MAKER, { adopt });
  if (missing !== undefined && !MISSING_JOBS.includes(missing))
    throw misconfiguration(`\`jobs.missing\` must be one of ${MISSING_JOBS.join(', ')}.`);
  if (share === undefined || (share >= 0 && share <= 1)) return;
  throw misconfiguration('`jobs.missingShareAtMost` must be from 0 to 1, such as 0.2.');
}
