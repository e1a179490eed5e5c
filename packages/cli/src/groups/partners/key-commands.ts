import { type IssuedKey, LIMITED_REQUESTS } from '@partner-hiring/core';
import type { CommandGroup } from '../../command/command.js';
import { UsageError } from '../../command/command-error.js';
import { libraryCommand } from '../../command/library-command.js';
import { rowsCommand } from '../../report/list-command.js';
import { moment } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';

const list = rowsCommand('keys.list', {
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
    'LOWER LIMITS UNTIL': ({ key }) => moment(key.loweredLimits?.until ?? null),
  },
  empty: ({ partnerId }) =>
    partnerId === undefined
      ? 'No keys. Issue one: keys issue <partner> <environment>'
      : `${partnerId} has no keys. Issue one: keys issue ${partnerId} <environment>`,
});

const revoke = libraryCommand(
  'keys.revoke',
  ({ changed, secrets }) => {
    const revoked = secrets.map(({ prefix, lastFour }) => `${prefix}…${lastFour}`);
    return changed ? `Revoked ${revoked.join(', ')}.` : 'Unchanged: already revoked.';
  },
  {
    check: (given) => {
      if ('all' in given === 'secretLastFour' in given)
        throw new UsageError('Pass either --last-four XXXX or --all.');
    },
  },
);

const issue = libraryCommand('keys.issue', describeIssued, {
  usesSealingKey: true,
  adds: {
    options: {
      override: { summary: 'Why the partner need not prove what goLive.required names', value: 'REASON' },
    },
    read: (input) => {
      const reason = input.option('override');
      return reason === undefined ? {} : { override: { reason } };
    },
  },
});

const lowerLimits = libraryCommand(
  'keys.lowerLimits',
  ({ loweredLimits }) => `Lower limits until ${moment(loweredLimits?.until ?? null)}.`,
  {
    adds: {
      options: {
        limit: {
          summary: `Requests per minute, such as list_jobs=6: ${Object.keys(LIMITED_REQUESTS).join(', ')}`,
          value: 'KIND=N',
          isRepeatable: true,
        },
      },
      read: (input) => {
        const given = (input.option('limit') ?? '').matchAll(/([^\s=]+)=?(\S*)/g);
        return { perMinute: Object.fromEntries([...given].map(([, kind, limit]) => [kind, Number(limit)])) };
      },
    },
  },
);

/** Commands on keys. */
export const keyGroup: CommandGroup = {
  summary: 'API keys of partners',
  standard: 'list',
  commands: {
    list,
    issue,
    rotate: libraryCommand(
      'keys.rotate',
      ({ secret }) => `Save the new secret now. It is not shown again:\n  ${secret}`,
      // A secret on a command line is kept by the shell.
      { without: ['ifCurrent'] },
    ),
    revoke,
    'lower-limits': lowerLimits,
    'lift-limits': libraryCommand('keys.liftLimits', ({ changed }) =>
      changed ? 'The usual limits apply again.' : 'Unchanged: the usual limits apply.',
    ),
  },
};

function describeIssued({ key, secret, endpoint }: IssuedKey): string {
  const webhooks =
    endpoint === null
      ? `It has no webhook endpoint yet: endpoints set ${key.id} <url>`
      : `Webhooks go to ${terminalText(endpoint.url)}, signed with\n  ${endpoint.signingSecret}`;
  return `Issued ${key.id}. Save its secret now. It is not shown again:\n  ${secret}\n${webhooks}
${key.environment === 'sandbox' ? 'It has its own companies and jobs: sandbox list' : `It sees jobs when a company grants it access: access grant ${key.id} <company>`}`;
}
