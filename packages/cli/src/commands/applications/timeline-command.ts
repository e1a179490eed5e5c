import type { TimelineOptions } from '@partner-hiring/core';
import type { OperatorCommand } from '../../command/command.js';
import { UsageError } from '../../command/command-error.js';
import { formOf } from '../../command/command-form.js';
import { isIdOf } from '../../command/command-input.js';
import { timelineReport } from '../../report/report.js';

const form = formOf('applications.timeline', { without: ['id'] });

/** The command `timeline`, for any object that has one. */
export const timelineOfAny: OperatorCommand = {
  summary: 'Shows what happened to an application, a key or a job, by its id',
  arguments: ['id'],
  options: form.options,
  run: async (operator, input) => {
    const id = input.argument('id');
    const options = form.read<TimelineOptions>(input);
    if (isIdOf('application', id)) {
      const found = await operator.applications.timeline({ id, ...options });
      return timelineReport(found, found.news);
    }
    if (isIdOf('job', id)) {
      const found = await operator.jobs.timeline({ id, ...options });
      return timelineReport(found, found.news);
    }
    if (isIdOf('key', id))
      return timelineReport(await operator.keys.timeline({ keyId: id, ...options }), null);
    // Does not repeat the text, because it may be the secret of a key.
    throw new UsageError('<id> must be an id that starts with ej_app_, job_ or key_.');
  },
};
