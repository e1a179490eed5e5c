import type { FormQuestion } from '../../domain/application-form.js';
import { findCountry } from '../../domain/countries.js';
import type { JobId, KeyId } from '../../domain/ids.js';
import type { JobDetails } from '../../domain/job.js';
import type { Instant } from '../../domain/time.js';
import type { Repositories } from '../../ports/storage.js';
import { jobNotFound } from '../find-or-throw.js';
import { type KeyNames, withKeyNames } from '../names.js';

/** The details of a job. An optional field that is null or omitted is unset. */
export interface JobDetailsInput {
  readonly title: string;
  /**
   * `city` and `state` may be empty, for remote jobs and countries without states. `country` is a code of ISO 3166-1, or
   * the name of the country in any language, and is stored as the alpha-2 code. Any other text is kept.
   */
  readonly location: JobDetails['location'];
  readonly compensation: {
    readonly type?: 'hourly' | undefined;
    /** The lowest pay per hour, in units of the currency. */
    readonly min?: number | null | undefined;
    readonly max?: number | null | undefined;
    /** ISO 4217, e.g. `USD`. */
    readonly currency: string;
  };
  /** Such as `full_time`. */
  readonly schedule?: string | null | undefined;
  /** `total` is the number of hires wanted. `filled` is the number already made, 0 by default. */
  readonly headcount?:
    | { readonly total?: number | null | undefined; readonly filled?: number | undefined }
    | undefined;
  readonly applicationFormSchema?: readonly FormQuestion[] | null | undefined;
}

/** Copies the known fields, for inputs that were checked. */
export function completeDetails(input: JobDetailsInput): JobDetails {
  const { title, location, compensation, schedule, headcount, applicationFormSchema } = input;
  const country = findCountry(location.country);
  return {
    title,
    location: { city: location.city, state: location.state, country: country ?? location.country },
    unknownCountry: country === null,
    compensation: {
      type: 'hourly',
      min: compensation.min ?? null,
      max: compensation.max ?? null,
      currency: compensation.currency,
    },
    schedule: schedule ?? null,
    headcount: { total: headcount?.total ?? null, filled: headcount?.filled ?? 0 },
    applicationFormSchema: applicationFormSchema?.map(completeQuestion) ?? null,
  };
}

function completeQuestion({ key, label, type, required, options }: FormQuestion): FormQuestion {
  const question = { key, label, type, required };
  return options === undefined
    ? question
    : { ...question, options: options.map(({ value, label }) => ({ value, label })) };
}

/** Whether a key sees a job, with the names that belong to the key. */
export interface JobVisibility extends KeyNames {
  readonly keyId: KeyId;
  readonly isVisible: boolean;
  /** The time of the last change that the partner reads in its list: of its event, or of a later edit. */
  readonly changedAt: Instant;
}

export async function listVisibility(
  read: Pick<Repositories, 'jobs' | 'keyJobs' | 'names'>,
  id: JobId,
): Promise<readonly JobVisibility[]> {
  const [job] = await read.jobs.find([id]);
  if (!job) throw jobNotFound(id);
  const seen = await read.keyJobs.listOfJobs([id]);
  const rows = seen.map(({ keyId, visible, changedAt }) => ({ keyId, isVisible: visible, changedAt }));
  return withKeyNames(read, rows.toSorted(visibleFirst));
}

function visibleFirst(
  first: Pick<JobVisibility, 'isVisible' | 'changedAt' | 'keyId'>,
  second: Pick<JobVisibility, 'isVisible' | 'changedAt' | 'keyId'>,
): number {
  if (first.isVisible !== second.isVisible) return first.isVisible ? -1 : 1;
  return second.changedAt - first.changedAt || (first.keyId < second.keyId ? -1 : 1);
}
