import {
  type AuditObject,
  type AuditObjectKind,
  type ListedAuditEntry,
  type ListedAuditObject,
  OperatorError,
} from '@partner-hiring/core';
import type { CommandGroup } from '../../command/command.js';
import { UsageError } from '../../command/command-error.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand, withNext } from '../../report/list-command.js';
import { type Columns, moment, tableReport } from '../../report/report.js';

/** The kind of object that an id's prefix names. */
const KIND_OF_PREFIX: Readonly<Record<string, AuditObjectKind>> = {
  ptn: 'partner',
  key: 'key',
  co: 'company',
  job: 'job',
  ej: 'application',
  evt: 'delivery',
  op: 'operation',
};

const OBJECT_COLUMNS: Columns<ListedAuditObject> = {
  KIND: ({ kind }) => kind,
  OBJECT: ({ id }) => id,
  NAME: ({ name }) => name,
  AT: ({ at }) => moment(at),
};

const list = listCommand('audit.list', {
  summary: 'Lists who did what, newest first; all, or by one of --actor, --act, --key and --object',
  options: {
    object: { value: 'ID', summary: 'Only acts on this object; also `inbox`, or `endpoint:<key>`' },
  },
  complete: (filter, input) => {
    const object = input.option('object');
    return object === undefined ? filter : { ...filter, object: objectOf(object) };
  },
  columns: {
    AT: ({ at }) => moment(at),
    ACTOR: ({ actor: { id, name } }) => (name === null ? id : `${name} (${id})`),
    DOOR: ({ actor }) => actor.door,
    ACT: ({ act }) => act,
    OBJECT: ({ objects: [main] }) => main?.id ?? null,
    NAME: ({ objectNames: [main] }) => main ?? null,
    PARTNER: ({ keyLabel }) => keyLabel,
    COUNT: ({ count }) => count,
    BEFORE: ({ before }) => fieldsText(before),
    AFTER: ({ after }) => fieldsText(after),
    REASON: ({ actor }) => actor.reason,
    ID: ({ id }) => id,
  },
  empty: 'No acts.',
});

const objects = libraryCommand(
  'audit.find',
  (entry) => {
    const { items, nextCursor } = entry.allObjects;
    const { text } = tableReport(items, OBJECT_COLUMNS, 'No more objects.');
    return { value: entry, text: withNext(text, nextCursor) };
  },
  {
    missing: new OperatorError(
      'INVALID_INPUT',
      'The audit does not have this act. The ids of acts are in the last column of: audit list',
    ),
  },
);

/** Commands on the audit. */
export const auditGroup: CommandGroup = {
  summary: 'Who did what',
  standard: 'list',
  commands: { list, objects },
};

function objectOf(text: string): AuditObject {
  if (text === 'inbox') return { kind: 'inbox', id: text };
  if (text.startsWith('endpoint:')) return { kind: 'endpoint', id: text.slice('endpoint:'.length) };
  const kind = KIND_OF_PREFIX[text.slice(0, text.indexOf('_'))];
  if (kind !== undefined) return { kind, id: text };
  throw new UsageError('--object must be an id, such as job_4711, or inbox, or endpoint:<key>.');
}

function fieldsText(fields: ListedAuditEntry['before']): string | null {
  if (fields === null) return null;
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}
