import type { AccessOutcome, AccessTarget, ListedAccess, OperatorCommands } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import type { CommandInput } from '../../command/command-input.js';
import { doesNotExist } from '../../command/id-kinds.js';
import { libraryCommand } from '../../command/library-command.js';
import { allRows, listCommand } from '../../report/list-command.js';
import { moment, sentence } from '../../report/report.js';

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
  const keys = await allRows(operator.keys.each());
  const records = await Promise.all(
    keys.map(({ key: { id: keyId } }) => allRows(operator.access.each({ keyId }))),
  );
  return records.flat();
}

function targetsOf(input: CommandInput): readonly AccessTarget[] {
  const keyId = input.id('key');
  return input.ids('company').map((companyId) => ({ keyId, companyId }));
}

const grant: OperatorCommand = {
  library: 'access.grant',
  summary: 'Grants a key access to companies; sends job.opened for each of their open jobs',
  arguments: ['key', { name: 'company', isList: true }],
  run: async (operator, input) => {
    const outcomes = await operator.access.grant(targetsOf(input));
    return sentence(grantedText(outcomes), outcomes);
  },
};

/** As many as one transaction locks. */
const BATCH = 1_000;

const grantAll: OperatorCommand = {
  summary:
    'Grants a key access to all companies that exist in its environment; access that was revoked stays so',
  arguments: ['key'],
  run: async (operator, input) => {
    const keyId = input.id('key');
    const found = await operator.keys.find({ id: keyId });
    if (found === null) throw doesNotExist('key', keyId);
    const known = await allRows(operator.access.each({ keyId }));
    const revoked = new Set(known.flatMap((row) => (row.revokedAt === null ? [] : [row.companyId])));
    const { environment } = found.key;
    const companies = await allRows(operator.companies.each({ environment }));
    const ids = companies.map(({ id }) => id).filter((id) => !revoked.has(id));
    const outcomes: AccessOutcome[] = [];
    for (let start = 0; start < ids.length; start += BATCH) {
      const grants = ids.slice(start, start + BATCH).map((companyId) => ({ keyId, companyId, renew: false }));
      outcomes.push(...(await operator.access.grant(grants)));
    }
    if (outcomes.length === 0) return sentence('There are no companies to grant.', outcomes);
    return sentence(grantedText(outcomes), outcomes);
  },
};

const revoke: OperatorCommand = {
  library: 'access.revoke',
  summary: 'Revokes access to companies; sends job.closed for each job that the key saw',
  arguments: ['key', { name: 'company', isList: true }],
  run: async (operator, input) => {
    const outcomes = await operator.access.revoke(targetsOf(input));
    return sentence(revokedText(outcomes), outcomes);
  },
};

function revokedText(outcomes: readonly AccessOutcome[]): string {
  const revoked = outcomes.filter(({ changed }) => changed).length;
  if (revoked === 0) return 'Unchanged: access was already revoked.';
  if (outcomes.length === 1) return 'Revoked.';
  const before = outcomes.length - revoked;
  const text = `Revoked access to ${revoked} ${revoked === 1 ? 'company' : 'companies'}.`;
  return before === 0 ? text : `${text} Access to ${before} was already revoked.`;
}

function grantedText(outcomes: readonly AccessOutcome[]): string {
  const granted = outcomes.filter(({ changed }) => changed).length;
  if (granted === 0) return 'Unchanged: the key already has access.';
  if (outcomes.length === 1) return 'Granted.';
  const had = outcomes.length - granted;
  const text = `Granted access to ${granted} ${granted === 1 ? 'company' : 'companies'}.`;
  return had === 0 ? text : `${text} The key already had access to ${had}.`;
}

/** Commands on access. */
export const accessGroup: CommandGroup = {
  summary: 'Access of keys to companies',
  standard: 'list',
  commands: {
    list,
    grant,
    'grant-all': grantAll,
    revoke,
    bootstrap: libraryCommand(
      'access.raiseLimit',
      ({ access }) => `Bootstrap mode until ${moment(access.bootstrapUntil)}.`,
    ),
  },
};
