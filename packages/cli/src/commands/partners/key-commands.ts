import type { IssuedKey, KeyRevocation } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import type { CommandInput } from '../../command/command-input.js';
import { UsageError } from '../../command/usage-error.js';
import { rowsCommand } from '../../report/list-command.js';
import { moment, sentence } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';
import { TIMELINE_OPTIONS, timelineOptionsOf, timelineReport } from '../../report/timeline-report.js';
import { ENVIRONMENTS } from '../environments.js';
import { partnerMustExist } from '../must-exist.js';
import { OVERLAP_OPTION, overlapOf } from '../overlap.js';

const list = rowsCommand({
  options: { partner: { value: 'ID', summary: 'Only those of this partner' } },
  read: async (operator, input, page) => {
    const partnerId = input.optionId('partner');
    if (partnerId !== undefined) await partnerMustExist(operator, partnerId);
    return operator.keys.list({ partnerId, ...page });
  },
  rows: (items) =>
    items.flatMap(({ key, partnerName, secrets }) => secrets.map((secret) => ({ key, partnerName, secret }))),
  columns: {
    KEY: ({ key }) => key.id,
    PARTNER: ({ key }) => key.partnerId,
    NAME: ({ partnerName }) => partnerName,
    ENVIRONMENT: ({ key }) => key.environment,
    SECRET: ({ secret }) => `${secret.prefix}…${secret.lastFour}`,
    STATE: ({ secret }) => secret.state,
    'LAST USED': ({ secret }) => moment(secret.lastUsedAt),
    ENDS: ({ secret }) => moment(secret.revokedAt ?? secret.expiresAt),
  },
  empty: (input) => {
    const partnerId = input.optionId('partner');
    return partnerId === undefined
      ? 'No keys. Issue one: keys issue <partner> <environment>'
      : `${partnerId} has no keys. Issue one: keys issue ${partnerId} <environment>`;
  },
});

const issue: OperatorCommand = {
  arguments: ['partner', { name: 'environment', choices: ENVIRONMENTS }],
  usesSealingKey: true,
  options: { endpoint: { value: 'URL', summary: 'Its webhook endpoint' } },
  run: async (operator, input) => {
    const endpointUrl = input.option('endpoint');
    const issued = await operator.keys.issue({
      partnerId: input.id('partner'),
      environment: input.choice('environment', ENVIRONMENTS),
      endpointUrl,
    });
    return sentence(describeIssued(issued), issued);
  },
};

const rotate: OperatorCommand = {
  arguments: ['key'],
  options: OVERLAP_OPTION,
  run: async (operator, input) => {
    const rotated = await operator.keys.rotate({ keyId: input.id('key'), ...overlapOf(input) });
    return sentence(`Save the new secret now. It is not shown again:\n  ${rotated.secret}`, rotated);
  },
};

const revoke: OperatorCommand = {
  arguments: ['key'],
  options: {
    'last-four': { value: 'XXXX', summary: 'The last four characters of a secret' },
    all: { summary: 'All secrets of the key' },
  },
  run: async (operator, input) => {
    const outcome = await operator.keys.revoke(revocationOf(input));
    const secrets = outcome.secrets.map(({ prefix, lastFour }) => `${prefix}…${lastFour}`);
    const text = outcome.changed ? `Revoked ${secrets.join(', ')}.` : 'Unchanged: already revoked.';
    return sentence(text, outcome);
  },
};

const timeline: OperatorCommand = {
  arguments: ['key'],
  options: TIMELINE_OPTIONS,
  run: async (operator, input) =>
    timelineReport(
      await operator.keys.timeline({ keyId: input.id('key'), ...timelineOptionsOf(input) }),
      null,
    ),
};

/** Commands on keys. */
export const keyGroup: CommandGroup = {
  summary: 'API keys of partners',
  standard: 'list',
  commands: { list, issue, rotate, revoke, timeline },
};

function describeIssued({ key, secret, endpoint }: IssuedKey): string {
  const webhooks =
    endpoint === null
      ? `It has no webhook endpoint yet: endpoints set ${key.id} <url>`
      : `Webhooks go to ${terminalText(endpoint.url)}, signed with\n  ${endpoint.signingSecret}`;
  return `Issued ${key.id}. Save its secret now. It is not shown again:\n  ${secret}\n${webhooks}
${key.environment === 'sandbox' ? 'It has its own companies and jobs: sandbox list' : `It sees jobs when a company grants it access: access grant ${key.id} <company>`}`;
}

function revocationOf(input: CommandInput): KeyRevocation {
  const keyId = input.id('key');
  const secretLastFour = input.option('last-four');
  if (input.isSet('all') === (secretLastFour !== undefined)) {
    throw new UsageError('Pass either --last-four XXXX or --all.');
  }
  return secretLastFour === undefined ? { keyId, all: true } : { keyId, secretLastFour };
}
