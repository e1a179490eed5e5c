import { APPLICATION_LABELS, CANDIDATE_LABELS } from './application-facts.js';
import { JOB_LABELS } from './job-facts.js';

/**
 * The labels of fields, as `describeJob`, `describeApplication` and `describeCandidate` give them, for the headings of a table.
 * @example
 * const headings = [FIELD_LABELS.application.status, FIELD_LABELS.candidate.lastName];
 */
export const FIELD_LABELS = {
  job: JOB_LABELS,
  application: APPLICATION_LABELS,
  candidate: CANDIDATE_LABELS,
} as const;
