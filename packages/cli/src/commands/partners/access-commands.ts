import type { ListedAccess, OperatorCommands } from '@partner-hiring/core';
import type { CommandGroup } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand } from '../../report/list-command.js';
import { allRows } from '../../report/pages.js';
import { moment } from '../../report/report.js';

const list = listCommand('access.list', {
  summary: 'Lists current and revoked access, of all keys by default',
  mayOmit: ['keyId'],
  without: ['onlyActive'],
  all: { unless: 'key', read: listAll },
  columns: {
    KEY: ({ keyId }) => keyId,
    PARTNER: ({ keyLabel }) => keyLabel,
    COMPANY: ({ companyId }) => companyId,
    NAME: ({ companyName }) => companyName,
    ACCESS: ({ revokedAt }) => (revokedAt === null ? 'granted' : 'revoked'),
    SINCE: ({ grantedAt, revokedAt }) => moment(revokedAt ?? grantedAt),
    'BOOTSTRAP UNTIL': ({ bootstrapUntil }) => moment(bootstrapUntil),
  },
  empty: ({ keyId }) =>
    keyId === undefined
      ? 'No access records. Grant access: access grant <key> <company>'
      : `${keyId} has no access records. Grant access: access grant ${keyId} <company>`,
});

async function listAll(operator: OperatorCommands): Promise<readonly ListedAccess[]> {
  const keys = await allRows(operator.keys.list, (page) => page.items);
  const records = await Promise.all(
    keys.map(({ key: { id: keyId } }) =>
      allRows(
        (page) => operator.access.list({ keyId, ...page }),
        ({ items: access }) => access,
      ),
    ),
  );
  return records.flat();
}

/** Commands on access. */
export const accessGroup: CommandGroup = {
  summary: 'Access of keys to companies',
  standard: 'list',
  commands: {
    list,
    grant: libraryCommand(
      'access.grant',
      ({ changed }) => (changed ? 'Granted.' : 'Unchanged: the key already has access.'),
      { without: ['renew'] },
    ),
    revoke: libraryCommand('access.revoke', ({ changed }) =>
      changed ? 'Revoked.' : 'Unchanged: access was already revoked.',
    ),
    bootstrap: libraryCommand(
      'access.enableBootstrap',
      ({ access }) => `Bootstrap mode until ${moment(access.bootstrapUntil)}.`,
    ),
  },
};
