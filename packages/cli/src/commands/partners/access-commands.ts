import type { AccessTarget, ListedAccess, OperatorCommands } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import type { CommandInput } from '../../command/command-input.js';
import { listCommand } from '../../report/list-command.js';
import { allRows, noPageWithout } from '../../report/pages.js';
import { moment, sentence } from '../../report/report.js';
import { keyMustExist } from '../must-exist.js';

const list = listCommand({
  summary: 'Lists current and revoked access, of all keys by default',
  options: { key: { value: 'ID', summary: 'Only this key' } },
  read: async (operator, input, page) => {
    const keyId = input.optionId('key');
    if (keyId === undefined) {
      noPageWithout('key', input);
      return listAll(operator);
    }
    await keyMustExist(operator, keyId);
    return operator.access.list({ keyId, ...page });
  },
  columns: {
    KEY: ({ keyId }) => keyId,
    PARTNER: ({ keyLabel }) => keyLabel,
    COMPANY: ({ companyId }) => companyId,
    NAME: ({ companyName }) => companyName,
    ACCESS: ({ revokedAt }) => (revokedAt === null ? 'granted' : 'revoked'),
    SINCE: ({ grantedAt, revokedAt }) => moment(revokedAt ?? grantedAt),
    'BOOTSTRAP UNTIL': ({ bootstrapUntil }) => moment(bootstrapUntil),
  },
  empty: (input) => {
    const keyId = input.optionId('key');
    return keyId === undefined
      ? 'No access records. Grant access: access grant <key> <company>'
      : `${keyId} has no access records. Grant access: access grant ${keyId} <company>`;
  },
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

const grant: OperatorCommand = {
  arguments: ['key', 'company'],
  run: async (operator, input) => {
    const outcome = await operator.access.grant(targetOf(input));
    return sentence(outcome.changed ? 'Granted.' : 'Unchanged: the key already has access.', outcome);
  },
};

const revoke: OperatorCommand = {
  arguments: ['key', 'company'],
  run: async (operator, input) => {
    const outcome = await operator.access.revoke(targetOf(input));
    return sentence(outcome.changed ? 'Revoked.' : 'Unchanged: access was already revoked.', outcome);
  },
};

const bootstrap: OperatorCommand = {
  arguments: ['key', 'company'],
  run: async (operator, input) => {
    const outcome = await operator.access.enableBootstrap(targetOf(input));
    return sentence(`Bootstrap mode until ${moment(outcome.access.bootstrapUntil)}.`, outcome);
  },
};

/** Commands on access. */
export const accessGroup: CommandGroup = {
  summary: 'Access of keys to companies',
  standard: 'list',
  commands: { list, grant, revoke, bootstrap },
};

function targetOf(input: CommandInput): AccessTarget {
  return { keyId: input.id('key'), companyId: input.id('company') };
}
