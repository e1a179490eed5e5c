import {
  type Endpoint,
  type EndpointReport,
  gapWords,
  OperatorError,
  type WaitingEvents,
} from '@partner-hiring/core';
import type { CommandGroup } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand } from '../../report/list-command.js';
import { moment } from '../../report/report.js';
import { terminalJsonLine, terminalText } from '../../report/terminal-text.js';
import { countTable, describeOutcome, duration, outcomeLine, sendingText } from './outcome.js';

const list = listCommand('endpoints.list', {
  columns: {
    KEY: ({ keyId }) => keyId,
    PARTNER: ({ keyLabel }) => keyLabel,
    URL: ({ url }) => url,
    STATE: describeState,
    'FAILURES IN A ROW': ({ health }) => health.consecutiveFailures,
    'LAST SUCCESS': ({ health }) => moment(health.lastSuccessAt),
    SPEED: (endpoint) => describeGap(endpoint) ?? (endpoint.state.kind === 'active' ? 'full' : null),
  },
  empty: 'No endpoints. Create one: endpoints set <key> <url>',
});

const failing = listCommand('endpoints.list', {
  summary: 'Lists endpoints whose last attempt failed, longest first',
  without: ['onlyPaused', 'onlyFailing'],
  complete: (given) => ({ ...given, onlyFailing: true }),
  columns: {
    KEY: ({ keyId }) => keyId,
    PARTNER: ({ partnerName }) => partnerName,
    // The path may contain a secret.
    ORIGIN: ({ url }) => new URL(url).origin,
    STATE: describeState,
    SINCE: ({ health }) => moment(health.firstFailureAt),
    ATTEMPTS: ({ health }) => health.consecutiveFailures,
    'LAST ERROR': ({ health }) => health.lastFailure && describeOutcome(health.lastFailure),
    WAITING: ({ counts }) => `${waitingIn(counts)}${counts.isExact ? '' : ' or more'}`,
  },
  empty: 'No endpoint is failing.',
});

const set = libraryCommand(
  'endpoints.setUrl',
  ({ endpoint, signingSecret }) => {
    const secret =
      signingSecret === null
        ? ''
        : `\nSave its signing secret now. It is not shown again:\n  ${signingSecret}`;
    return `Webhooks go to ${terminalText(endpoint.url)}.${secret}`;
  },
  { usesSealingKey: true, without: ['restore'], needs: ['url'] },
);

const restore = libraryCommand(
  'endpoints.setUrl',
  ({ endpoint, changed }) =>
    changed
      ? `Webhooks go to ${terminalText(endpoint.url)} again. Revoke the secrets of the key if it was stolen: keys revoke.`
      : `The partner did not change the URL in the last 24 hours. Webhooks go to ${terminalText(endpoint.url)}.`,
  {
    summary: 'Restores the URL that the partner itself replaced in the last 24 hours',
    without: ['url', 'restore'],
    adds: { options: {}, read: () => ({ restore: true as const }) },
  },
);

const rotateSecret = libraryCommand(
  'endpoints.rotateSecret',
  ({ signingSecret }) => `Save the new signing secret now. It is not shown again:\n  ${signingSecret}`,
  // A secret on a command line is kept by the shell.
  { usesSealingKey: true, without: ['ifCurrent'] },
);

const show = libraryCommand(
  'endpoints.find',
  (report) => {
    const { url, state, counts } = report;
    const { consecutiveFailures, lastFailure, lastSuccessAt } = report.health;
    const since = state.kind === 'paused' ? `, since ${moment(state.pausedAt)}` : '';
    const why = lastFailure === null ? '' : `; the last one: ${describeOutcome(lastFailure)}`;
    const waiting = { count: counts.due + counts.scheduled, isExact: counts.isExact };
    return {
      value: report,
      text: [
        `${terminalText(url)} is ${describeState(report)}${since}.`,
        `${consecutiveFailures} failures in a row${why}; last success ${moment(lastSuccessAt)}`,
        describeGap(report, waiting),
        '',
        countTable({ overall: counts, endpoints: [] }).text,
      ]
        .filter((line) => line !== null)
        .join('\n'),
    };
  },
  {
    // Only `--json` has the hours.
    without: ['since'],
    idsMustExist: true,
    missing: new OperatorError(
      'ENDPOINT_NOT_FOUND',
      'This key has no endpoint. Create one: endpoints set <key> <url>',
    ),
  },
);

const test = libraryCommand(
  'endpoints.test',
  (outcome) => {
    const result = outcome.isSuccess ? 'Accepted' : 'Not accepted';
    const answer = `${describeOutcome(outcome.outcome)} after ${duration(outcome.latencyMs)}`;
    const text =
      `${terminalJsonLine(outcome.event.body)}\n\n${result}: ${answer}. ${terminalText(outcomeLine(outcome.outcome))}`.trimEnd();
    return { value: outcome, text, isBadNews: !outcome.isSuccess };
  },
  { usesSealingKey: true },
);

const resume = libraryCommand('endpoints.resume', (outcome, { retryNow = false, dryRun = false }) => {
  const { endpoint, changed, pausedReason } = outcome;
  const sending = retryNow ? ` ${sendingText(outcome, dryRun)}` : '';
  const isSlowed = endpoint.health.gap !== null;
  const done = isSlowed ? 'gets one attempt now' : changed ? 'is now active' : 'was already active';
  const resumed = pausedReason === null ? 'is active' : 'would become active';
  const tried = isSlowed ? 'would get one attempt now' : resumed;
  return `${terminalText(endpoint.url)} ${dryRun ? tried : done}.${sending}`;
});

/** Commands on endpoints. */
export const endpointGroup: CommandGroup = {
  summary: 'Webhook endpoints',
  standard: 'list',
  commands: {
    list,
    failing,
    set,
    'restore-url': restore,
    show,
    test,
    'rotate-secret': rotateSecret,
    pause: libraryCommand(
      'endpoints.pause',
      ({ endpoint, changed }) =>
        `${terminalText(endpoint.url)} ${changed ? 'is now paused until you resume it' : `was already ${describeState(endpoint)}`}.`,
    ),
    resume,
  },
};

function describeGap({ health: { gap } }: Pick<Endpoint, 'health'>, waiting?: WaitingEvents): string | null {
  return gap === null ? null : gapWords(gap, moment, waiting).join('');
}

function waitingIn({ due, scheduled, paused }: EndpointReport['counts']): number {
  return due + scheduled + paused;
}

function describeState({ state }: Pick<Endpoint, 'state'>): string {
  return state.kind === 'active' ? 'active' : `paused: ${state.reason}`;
}
