import type { CommandInput } from '../../command/command-input.js';
import { libraryCommand } from '../../command/library-command.js';
import { sentence, unknownCountriesText } from '../../report/report.js';

/** The command `jobs publish`. It cannot set an application form; use the library for that. */
export const publish = libraryCommand(
  'jobs.publish',
  (job) => {
    const unknown = job.unknownCountry ? [{ country: job.location.country, jobs: 1 }] : [];
    return sentence(`Published ${job.id}. ${unknownCountriesText(unknown)}`.trimEnd(), job);
  },
  {
    adds: {
      options: {
        city: { value: 'TEXT', summary: 'The city of the job' },
        state: { value: 'TEXT', summary: 'The state or province' },
        country: { value: 'TEXT', summary: 'The country, as a code or a name, default US' },
        min: { value: 'N', summary: 'The lowest pay per hour' },
        max: { value: 'N', summary: 'The highest pay per hour' },
        currency: { value: 'CODE', summary: 'The currency, default USD' },
        headcount: { value: 'N', summary: 'The number of hires wanted' },
      },
      read: partsOf,
    },
    without: ['state'],
  },
);

function partsOf(input: CommandInput) {
  return {
    location: {
      city: input.option('city') ?? '',
      state: input.option('state') ?? '',
      country: input.option('country') ?? 'US',
    },
    compensation: {
      min: input.optionNumber('min') ?? null,
      max: input.optionNumber('max') ?? null,
      currency: input.option('currency') ?? 'USD',
    },
    headcount: { total: input.optionNumber('headcount') ?? null },
  };
}
