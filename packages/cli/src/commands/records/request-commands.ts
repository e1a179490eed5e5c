import { type ExplainedRequest, type LoggedRequest, OperatorError } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { listCommand } from '../../report/list-command.js';
import { moment, sentence } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';
import { keyMustExist } from '../must-exist.js';

const list = listCommand({
  options: {
    key: { value: 'ID', summary: 'Only those of this key' },
    partner: { value: 'ID', summary: 'Only those of this partner' },
    application: { value: 'ID', summary: 'Only those for this application' },
    errors: { summary: 'Only failed requests' },
    since: { value: 'TIME', summary: 'Start, inclusive, e.g. 2026-01-31T09:00Z' },
    until: { value: 'TIME', summary: 'End, exclusive' },
  },
  read: async (operator, input, page) => {
    const keyId = input.optionId('key');
    if (keyId !== undefined) await keyMustExist(operator, keyId);
    return operator.requests.list({
      keyId,
      partnerId: input.optionId('partner'),
      applicationId: input.optionId('application'),
      since: input.optionInstant('since'),
      until: input.optionInstant('until'),
      onlyErrors: input.isSet('errors'),
      ...page,
    });
  },
  columns: {
    TIME: ({ at }) => moment(at),
    REQUEST: ({ requestId }) => requestId,
    KEY: callerOf,
    ROUTE: routeOf,
    STATUS: ({ status }) => String(status),
    CODE: ({ code, count }) => `${code ?? ''}${count > 1 ? ` ${count} times` : ''}`,
    FIELDS: ({ fields }) => fields.join(' '),
    APPLICATION: ({ applicationId }) => applicationId ?? '',
  },
  empty: 'No requests.',
});

const find: OperatorCommand = {
  arguments: ['request'],
  run: async (operator, input) => {
    const requestId = input.argument('request');
    const request = await operator.requests.find({ requestId });
    if (request === null) {
      throw new OperatorError(
        'INVALID_INPUT',
        'The log does not have this request. Successful reads are only counted. Run: requests list',
      );
    }
    return sentence(explained(request), request);
  },
};

function explained(request: ExplainedRequest): string {
  const { at, method, status, code, durationMs, applicationId, fields, repeats, refusal } = request;
  const lines = [
    `${moment(at)} ${callerOf(request)}: ${method} ${routeOf(request)} got ${status} ${code ?? ''} after ${durationMs} ms.`,
    applicationId === null ? '' : `Application: ${applicationId}`,
    repeats === null ? '' : `It repeats the reply of request ${repeats}`,
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

function routeOf({ route }: LoggedRequest): string {
  return route ?? '(unknown path)';
}

const reads = listCommand({
  arguments: ['key'],
  read: async (operator, input, page) => {
    const keyId = input.id('key');
    await keyMustExist(operator, keyId);
    return operator.requests.listReads({ keyId, ...page });
  },
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
