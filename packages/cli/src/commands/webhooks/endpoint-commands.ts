import {
  type EndpointOutcome,
  type EndpointTarget,
  type EndpointView,
  type OperatorCommands,
  OperatorError,
} from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { listCommand } from '../../report/list-command.js';
import { moment, sentence } from '../../report/report.js';
import { terminalJsonLine, terminalText } from '../../report/terminal-text.js';
import { keyMustExist } from '../must-exist.js';
import { OVERLAP_OPTION, overlapOf } from '../overlap.js';
import { attemptTable } from './attempt-table.js';
import { countTable } from './count-table.js';
import { EVENT_TYPES } from './event-types.js';
import { describeOutcome, duration, outcomeText, sendingText } from './outcome.js';

const list = listCommand({
  read: ({ endpoints }, _, page) => endpoints.list(page),
  columns: {
    KEY: ({ keyId }) => keyId,
    PARTNER: ({ keyLabel }) => keyLabel,
    URL: ({ url }) => url,
    STATE: describeState,
    'FAILURES IN A ROW': ({ health }) => health.consecutiveFailures,
    'LAST SUCCESS': ({ health }) => moment(health.lastSuccessAt),
  },
  empty: 'No endpoints. Create one: endpoints set <key> <url>',
});

const failing = listCommand({
  read: ({ endpoints }, _, page) => endpoints.listFailing(page),
  columns: {
    KEY: ({ keyId }) => keyId,
    PARTNER: ({ partnerName }) => partnerName,
    ORIGIN: ({ origin }) => origin,
    STATE: describeState,
    SINCE: ({ failingSince }) => moment(failingSince),
    ATTEMPTS: ({ attempts }) => attempts,
    'LAST ERROR': ({ lastFailure }) => (lastFailure === null ? null : describeOutcome(lastFailure)),
    WAITING: ({ waiting, isExact }) => `${waiting}${isExact ? '' : ' or more'}`,
  },
  empty: 'No endpoint is failing.',
});

const set: OperatorCommand = {
  arguments: ['key', 'url'],
  usesSealingKey: true,
  run: async (operator, input) => {
    const outcome = await operator.endpoints.setUrl({ keyId: input.id('key'), url: input.argument('url') });
    const { endpoint, signingSecret } = outcome;
    const secret =
      signingSecret === null
        ? ''
        : `\nSave its signing secret now. It is not shown again:\n  ${signingSecret}`;
    return sentence(`Webhooks go to ${terminalText(endpoint.url)}.${secret}`, outcome);
  },
};

const rotateSecret: OperatorCommand = {
  arguments: ['key'],
  usesSealingKey: true,
  options: OVERLAP_OPTION,
  run: async (operator, input) => {
    const rotated = await operator.endpoints.rotateSecret({ keyId: input.id('key'), ...overlapOf(input) });
    const text = `Save the new signing secret now. It is not shown again:\n  ${rotated.signingSecret}`;
    return sentence(text, rotated);
  },
};

const health: OperatorCommand = {
  arguments: ['key'],
  run: async (operator, input) => {
    const keyId = input.id('key');
    await keyMustExist(operator, keyId);
    if ((await operator.endpoints.find({ keyId })) === null) throw noEndpoint(keyId);
    const report = await operator.endpoints.health({ keyId });
    const { endpoint, counts, lastAttempts } = report;
    const { consecutiveFailures, lastSuccessAt } = endpoint.health;
    const since = endpoint.state.kind === 'paused' ? `, since ${moment(endpoint.state.pausedAt)}` : '';
    const failures = attemptTable(lastAttempts, 'No failed attempts.');
    return {
      value: report,
      text: [
        `${terminalText(endpoint.url)} is ${describeState(endpoint)}${since}.`,
        `${consecutiveFailures} failures in a row; last success ${moment(lastSuccessAt)}`,
        '',
        countTable({ overall: counts, endpoints: [] }).text,
        '',
        failures.text,
      ].join('\n'),
    };
  },
};

const test: OperatorCommand = {
  arguments: ['key'],
  usesSealingKey: true,
  options: { type: { choices: EVENT_TYPES, summary: 'default job.opened' } },
  run: async (operator, input) => {
    const type = input.optionChoice('type', EVENT_TYPES);
    const outcome = await operator.endpoints.test({ keyId: input.id('key'), type });
    const result = outcome.isSuccess ? 'Accepted' : 'Not accepted';
    const answer = `${describeOutcome(outcome.outcome)} after ${duration(outcome.latencyMs)}`;
    const text =
      `${terminalJsonLine(outcome.event.body)}\n\n${result}: ${answer}. ${terminalText(outcomeText(outcome.outcome))}`.trimEnd();
    return { value: outcome, text, isBadNews: !outcome.isSuccess };
  },
};

const resume: OperatorCommand = {
  arguments: ['key'],
  options: {
    'retry-now': { summary: 'Also retries now every delivery that waits for its next attempt' },
    'dry-run': { summary: 'Changes nothing; with --retry-now, counts what would be sent' },
  },
  run: async (operator, input) => {
    const [retryNow, dryRun] = [input.isSet('retry-now'), input.isSet('dry-run')];
    const outcome = await operator.endpoints.resume({ keyId: input.id('key'), retryNow, dryRun });
    const { endpoint, changed, pausedReason } = outcome;
    const sending = retryNow ? ` ${sendingText(outcome, dryRun)}` : '';
    if (dryRun) {
      const state = pausedReason === null ? 'is active' : 'would become active';
      return sentence(`${terminalText(endpoint.url)} ${state}.${sending}`, outcome);
    }
    return sentence(
      `${terminalText(endpoint.url)} ${changed ? 'is now' : 'was already'} active.${sending}`,
      outcome,
    );
  },
};

/** Commands on endpoints. */
export const endpointGroup: CommandGroup = {
  summary: 'Webhook endpoints',
  standard: 'list',
  commands: {
    list,
    failing,
    set,
    health,
    test,
    'rotate-secret': rotateSecret,
    pause: change('paused', (endpoints) => endpoints.pause),
    resume,
  },
};

type Endpoints = OperatorCommands['endpoints'];

function change(
  after: string,
  pick: (endpoints: Endpoints) => (target: EndpointTarget) => Promise<EndpointOutcome>,
): OperatorCommand {
  return {
    arguments: ['key'],
    run: async (operator, input) => {
      const outcome = await pick(operator.endpoints)({ keyId: input.id('key') });
      const { endpoint, changed } = outcome;
      return sentence(
        `${terminalText(endpoint.url)} ${changed ? 'is now' : 'was already'} ${after}.`,
        outcome,
      );
    },
  };
}

function describeState({ state }: Pick<EndpointView, 'state'>): string {
  return state.kind === 'active' ? 'active' : `paused: ${state.reason}`;
}

function noEndpoint(keyId: string): OperatorError {
  return new OperatorError(
    'ENDPOINT_NOT_FOUND',
    `Key ${keyId} has no endpoint. Create one: endpoints set <key> <url>`,
  );
}
