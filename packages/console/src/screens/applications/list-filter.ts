import type { ApplicationFilter, ApplicationStatus } from '@partner-hiring/core';
import type { Fields } from '../../http/screen.js';

/** Statuses, for a choice. */
export const STATUS_CHOICES = [
  ['received', 'Received'],
  ['in_progress', 'In progress'],
  ['accepted', 'Accepted'],
  ['rejected', 'Rejected'],
] as const satisfies readonly (readonly [ApplicationStatus, string])[];

/** The filter of a list, or why it is not possible. */
export type ListFilter = { readonly filter: ApplicationFilter } | { readonly problem: string };

const SCOPES = [
  ['key', 'Partner key'],
  ['job', 'Job'],
  ['company', 'Company'],
] as const;

/**
 * Reads the filter from the address. Says what to remove if the fields cannot be combined: each list reads one range of one
 * index (decision 101).
 */
export function readListFilter(query: Fields): ListFilter {
  const given = SCOPES.filter(([name]) => query.text(name) !== null).map(([, label]) => label);
  const since = query.instant('since');
  const status = STATUS_CHOICES.find(([value]) => value === query.text('status'))?.[0] ?? null;
  const narrowing = [...(status === null ? [] : ['Status']), ...(since === null ? [] : ['Submitted since'])];
  if (given.length > 1) return { problem: `Choose one of ${given.join(', ')}, and remove the others.` };
  if (given.length === 0 && narrowing.length > 0) {
    return { problem: `${narrowing.join(' and ')} needs a partner key, a job or a company.` };
  }
  return {
    filter: {
      ...scopeOf(query),
      status: status ?? undefined,
      submittedSince: since ?? undefined,
    },
  };
}

function scopeOf(query: Fields): Pick<ApplicationFilter, 'keyId' | 'jobId' | 'companyId'> {
  const [key, job, company] = [query.text('key'), query.text('job'), query.text('company')];
  if (key !== null) return { keyId: key as `key_${string}` };
  if (job !== null) return { jobId: job as `job_${string}` };
  return company === null ? {} : { companyId: company as `co_${string}` };
}
