import type { AccessTarget } from '@partner-hiring/core';
import type { Command, CommandGroup } from './command.js';
import type { CommandInput } from './command-input.js';
import { keyMustExist } from './must-exist.js';
import { moment, sentence, tableReport } from './report.js';

const list: Command = {
  summary: 'Lists which companies let a key in, or did; all keys if none is named',
  options: { key: { value: 'ID', summary: 'Only this key' } },
  run: async (operator, input) => {
    const keyId = input.optionId('key');
    if (keyId !== undefined) await keyMustExist(operator, keyId);
    const keyIds = keyId === undefined ? (await operator.keys.list()).map(({ key }) => key.id) : [keyId];
    const records = await Promise.all(keyIds.map((id) => operator.access.list({ keyId: id })));
    return tableReport(
      records.flat(),
      {
        KEY: (access) => access.keyId,
        COMPANY: ({ companyId }) => companyId,
        ACCESS: ({ revokedAt }) => (revokedAt === null ? 'granted' : 'revoked'),
        SINCE: ({ grantedAt, revokedAt }) => moment(revokedAt ?? grantedAt),
        'BOOTSTRAP UNTIL': ({ bootstrapUntil }) => moment(bootstrapUntil),
      },
      keyId === undefined
        ? 'No company ever let a key in. Grant access: access grant <key> <company>'
        : `No company ever let it in. Grant access: access grant ${keyId} <company>`,
    );
  },
};

const grant: Command = {
  summary: "Lets a key in: job.opened for each of the company's open jobs",
  arguments: ['key', 'company'],
  run: async (operator, input) => {
    const outcome = await operator.access.grant(targetOf(input));
    return sentence(outcome.changed ? 'Granted.' : 'Nothing to do: it has access.', outcome);
  },
};

const revoke: Command = {
  summary: 'Shuts a key out: job.closed for each job it saw',
  arguments: ['key', 'company'],
  run: async (operator, input) => {
    const outcome = await operator.access.revoke(targetOf(input));
    return sentence(outcome.changed ? 'Revoked.' : 'Nothing to do: revoked before.', outcome);
  },
};

const bootstrap: Command = {
  summary: 'Five times the submission limit for 24 hours',
  arguments: ['key', 'company'],
  run: async (operator, input) => {
    const access = await operator.access.enableBootstrap(targetOf(input));
    return sentence(`Bootstrap mode until ${moment(access.bootstrapUntil)}.`, access);
  },
};

/** Which companies let which keys in. */
export const accessGroup: CommandGroup = {
  summary: 'Which companies let which keys in',
  standard: 'list',
  commands: { list, grant, revoke, bootstrap },
};

function targetOf(input: CommandInput): AccessTarget {
  return { keyId: input.id('key'), companyId: input.id('company') };
}
