import type { KeyId, Timeline, TimelineOptions, TimelineTarget } from '@partner-hiring/core';
import type { OperatorCommand, Report } from '../../command/command.js';
import { UsageError } from '../../command/command-error.js';
import { formOf } from '../../command/command-form.js';
import { type CommandInput, isIdOfKind } from '../../command/command-input.js';
import { moment } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';

const form = formOf('timelines.find', { without: ['applicationId', 'jobId'] });

/** Shows what happened to an application, a job or a key. */
export const timelineOfAny: OperatorCommand = {
  library: 'timelines.find',
  arguments: ['id'],
  options: form.options,
  run: async (operator, input) => timelineReport(await operator.timelines.find(targetOf(input))),
};

/** @throws UsageError for another kind of id. */
function targetOf(input: CommandInput): TimelineTarget {
  const id = input.argument('id');
  const options = form.read<TimelineOptions & { readonly keyId?: KeyId }>(input);
  const { keyId } = options;
  if (isIdOfKind('job', id)) return { jobId: id, ...options };
  if (keyId !== undefined) throw new UsageError('--key needs the id of a job.');
  if (isIdOfKind('application', id)) return { ...options, keyId, applicationId: id };
  if (isIdOfKind('key', id)) return { ...options, keyId: id };
  // Does not repeat the text, because it may be the secret of a key.
  throw new UsageError('<id> must be an id that starts with ej_app_, job_ or key_.');
}

/** Renders one line for each entry, then whether the partner knows the last change. */
function timelineReport(timeline: Timeline): Report {
  const { entries, completeFrom, news } = timeline;
  const lines = entries.map(({ at, text }) => `${moment(at)}  ${terminalText(text)}`);
  const parts = [
    lines.length === 0 ? 'Nothing is recorded.' : lines.join('\n'),
    completeFrom === null ? '' : `Before that: --until ${new Date(completeFrom).toISOString()}`,
    news === null ? '' : `Does the partner know? ${terminalText(news.text)}`,
  ];
  return { value: timeline, text: parts.filter((part) => part !== '').join('\n\n') };
}
