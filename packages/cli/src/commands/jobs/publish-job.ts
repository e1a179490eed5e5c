import type { OperatorCommand } from '../../command/command.js';
import type { CommandInput } from '../../command/command-input.js';
import { sentence } from '../../report/report.js';
import { unknownCountriesText } from '../../report/unknown-countries.js';

/** The command `jobs publish`. It cannot set an application form; use the library for that. */
export const publish: OperatorCommand = {
  library: 'jobs.publish',
  arguments: ['company', 'title'],
  options: {
    job: { value: 'ID', summary: 'Your own id, job_...' },
    city: { value: 'TEXT', summary: 'The city of the job' },
    state: { value: 'TEXT', summary: 'The state or province' },
    country: { value: 'TEXT', summary: 'The country, as a code or a name, default US' },
    min: { value: 'N', summary: 'The lowest pay per hour' },
    max: { value: 'N', summary: 'The highest pay per hour' },
    currency: { value: 'CODE', summary: 'The currency, default USD' },
    schedule: { value: 'TEXT', summary: 'E.g. full_time, part_time, contract' },
    headcount: { value: 'N', summary: 'The number of hires wanted' },
  },
  run: async (operator, input) => {
    const id = input.optionId('job');
    const job = await operator.jobs.publish({
      id,
      companyId: input.id('company'),
      title: input.argument('title'),
      location: locationOf(input),
      compensation: {
        min: input.optionNumber('min') ?? null,
        max: input.optionNumber('max') ?? null,
        currency: input.option('currency') ?? 'USD',
      },
      schedule: input.option('schedule') ?? null,
      headcount: { total: input.optionNumber('headcount') ?? null },
    });
    const unknown = job.unknownCountry ? [{ country: job.location.country, jobs: 1 }] : [];
    return sentence(`Published ${job.id}. ${unknownCountriesText(unknown)}`.trimEnd(), job);
  },
};

function locationOf(input: CommandInput) {
  return {
    city: input.option('city') ?? '',
    state: input.option('state') ?? '',
    country: input.option('country') ?? 'US',
  };
}
