import type { FormQuestion } from '../../domain/application-form.js';
import { findCountry } from '../../domain/countries.js';
import type { JobDetails } from '../../domain/job.js';

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
