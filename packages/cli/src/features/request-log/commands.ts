import {
  type ExplainedRequest,
  type ListedRequest,
  type LoggedRequest,
  OperatorError,
} from '@partner-hiring/core';
import type { CommandGroup } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand } from '../../report/list-command.js';
import { moment } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';

const list = listCommand('requests.list', {
  columns: {
    TIME: ({ at }) => moment(at),
    REQUEST: ({ requestId }) => requestId,
    KEY: callerOf,
    ROUTE: routeOf,
    STATUS: ({ status }) => String(status),
    CODE: ({ code, count }) => `${code ?? ''}${count > 1 ? ` ${count} times` : ''}`,
    FIELDS: ({ fields }) => fields.join(', '),
    JOB: jobOf,
    APPLICATION: ({ applicationId }) => applicationId ?? '',
  },
  empty: 'No requests.',
  note: ({ field, fieldCode }) =>
    field === undefined && fieldCode === undefined
      ? ''
      : 'A page by field or code looks at up to 5,000 rows of the log.',
});

const find = libraryCommand('requests.find', explained, {
  missing: new OperatorError(
    'INVALID_INPUT',
    'The log does not have this request. Successful reads are only counted. Run: requests list',
  ),
});

function explained(request: ExplainedRequest): string {
  const { at, method, status, code, durationMs, applicationId, fields, repeats, refusal } = request;
  const lines = [
    `${moment(at)} ${callerOf(request)}: ${method} ${routeOf(request)} got ${status} ${code ?? ''} after ${durationMs} ms.`,
    applicationId === null ? '' : `Application: ${applicationId}`,
    repeats === null ? '' : `It repeats the reply of request ${repeats}`,
    request.jobId === null ? '' : `Job: ${jobOf(request)}`,
    fields.length === 0 ? '' : `Fields: ${fields.join(', ')}`,
    ...(refusal === null ? [] : [`Rule: ${refusal.rule}`, `Fix: ${refusal.fix}`]),
  ];
  return lines
    .filter((line) => line !== '')
    .map(terminalText)
    .join('\n');
}

function callerOf({ keyLabel, client }: LoggedRequest): string {
  if (keyLabel !== null) return keyLabel;
  return client === null ? 'no key' : `no key, client ${client}`;
}

function jobOf({ jobId, jobTitle }: ListedRequest): string {
  if (jobId === null) return '';
  return jobTitle === null ? jobId : `${jobId} ${jobTitle}`;
}

function routeOf({ route }: LoggedRequest): string {
  return route ?? '(unknown path)';
}

const reads = listCommand('requests.listReads', {
  columns: {
    MINUTE: ({ minute }) => moment(minute),
    ROUTE: ({ route }) => route,
    READS: ({ count }) => String(count),
    LAST: ({ lastAt }) => moment(lastAt),
    REQUEST: ({ lastRequestId }) => lastRequestId,
  },
  empty: 'No reads.',
});

/** Commands on the request log. */
export const requestGroup: CommandGroup = {
  summary: "Partners' requests: what was refused, and why",
  standard: 'list',
  commands: { list, find, reads },
};
