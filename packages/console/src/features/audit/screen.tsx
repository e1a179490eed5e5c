import {
  type AuditFilter,
  type AuditId,
  type AuditObjectKind,
  type ListedAuditEntry,
  OPERATOR_COMMANDS,
} from '@partner-hiring/core';
import { mustFind } from '../../gate/refusals.js';
import type { Fields, Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import {
  actDetail,
  actName,
  actorName,
  changesText,
  countInAll,
  doorText,
  reasonText,
} from '../../screens/parts/act-words.js';
import { cursorOf, defineList } from '../../screens/parts/define-list.js';
import type { LoadedOptions } from '../../screens/parts/filter-field.js';
import { filterOf, type ReadFilter } from '../../screens/parts/list-filter.js';
import type { Column } from '../../view/data-table.js';
import { SelectField } from '../../view/forms.js';
import { MaybeLink, Time } from '../../view/parts.js';
import { showEntry } from './entry-page.js';
import { ObjectLink } from './object-link.js';

const KINDS = [
  ['application', LABELS.one.application],
  ['company', LABELS.one.company],
  ['delivery', LABELS.one.delivery],
  ['endpoint', LABELS.one.endpoint],
  ['inbox', LABELS.one.inbox],
  ['job', LABELS.one.job],
  ['key', LABELS.one.key],
  ['list', 'List that was exported'],
  ['operation', LABELS.one.operation],
  ['partner', LABELS.one.partner],
] as const satisfies readonly (readonly [AuditObjectKind, string])[];

const ACTS = OPERATOR_COMMANDS.flatMap(({ name, pastTense }) =>
  pastTense !== null ? [[name, actName(name)] as const] : [],
).sort(([, first], [, second]) => (first < second ? -1 : 1));

function ActField({ value }: { readonly value: string | null }) {
  return <SelectField name="act" label={LABELS.one.act} any="Any" value={value} options={ACTS} />;
}

/** Enough to find a colleague who acted lately. */
const NEWEST_ACTS = 500;

/** The people and programs that acted last. */
async function actorOptions({ gate }: ScreenCall): Promise<LoadedOptions> {
  if (!gate.isForAllPartners) return { options: [] };
  const { items, nextCursor } = await gate.call('audit.list', { limit: NEWEST_ACTS });
  return {
    options: [...new Map(items.map((entry) => [entry.actor.id, actorName(entry)]))],
    hint: nextCursor === null ? undefined : MORE_ACTORS,
  };
}

const MORE_ACTORS =
  'Only those who acted lately. To choose somebody else, filter by time, then click the name in the list.';

const FILTER = filterOf(
  'audit.list',
  [
    { name: 'actor', label: 'Actor', load: actorOptions },
    { name: 'by', label: 'Actor of the act', kind: 'text', isPinned: true },
    { name: 'act', label: LABELS.one.act, show: (value) => <ActField value={value} /> },
    { name: 'kind', label: LABELS.one.object, kind: 'choice', options: KINDS, isPinned: true },
    { name: 'id', label: 'Object id', kind: 'text', isPinned: true },
    { name: 'since', label: LABELS.since },
    { name: 'until', label: LABELS.until },
  ],
  ['actor', 'act', 'kind'],
);

/**
 * Filters by the actor of an act whose id is in the address. The id of an actor is often an e-mail address, so a link
 * that somebody can save and send has the id of one of their acts.
 */
async function withActor({ gate }: ScreenCall, fields: Fields): Promise<Fields> {
  const by = fields.text('by');
  if (by === null || fields.text('actor') !== null) return fields;
  const { actor } = await mustFind(gate.call('audit.find', { id: by as AuditId }));
  return { ...fields, text: (name) => (name === 'actor' ? actor.id : fields.text(name)) };
}

const showAudit = defineList<ListedAuditEntry>({
  title: LABELS.all.audit,
  path: '/audit',
  fields: FILTER.fields,
  rules: FILTER.rules,
  isPosted: true,
  filter: (form, call) => (
    <>
      {form}
      <SinceLinks call={call} />
    </>
  ),
  read: async (call, fields) => {
    const { gate } = call;
    const read = readFilter(await withActor(call, fields));
    if ('problem' in read) return read;
    if (!gate.isForAllPartners && read.filter.object === undefined) {
      return {
        problem:
          'Your rights cover some partners. Open the page of an application, a key, an endpoint or a partner: it shows the acts.',
        status: 200,
      };
    }
    return {
      ...(await gate.call('audit.list', { ...read.filter, cursor: cursorOf(fields) })),
      caption: 'Acts, newest first',
      empty: 'No act matches.',
      none: 'There is no act yet.',
      columns: columnsOf(call),
    };
  },
});

const DAY_MS = 86_400_000;

/** The last day, week and two weeks. Keeps the filter in the address. */
function SinceLinks({ call }: { readonly call: ScreenCall }) {
  const kept = Object.fromEntries(['by', 'act', 'kind', 'id'].map((name) => [name, call.query.text(name)]));
  const since = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 16);
  const link = (days: number, text: string) => (
    <a href={call.at('/audit', { ...kept, since: since(days) })}>{text}</a>
  );
  return (
    <p class="hint">
      Only the last {link(1, '24 hours')}, {link(7, '7 days')} or {link(14, '14 days')}
    </p>
  );
}

function readFilter(fields: Fields): ReadFilter<AuditFilter> {
  const read = FILTER.read(fields);
  if ('problem' in read) return read;
  const id = fields.text('id');
  const kind = KINDS.find(([value]) => value === fields.text('kind'))?.[0];
  if (kind !== undefined && kind !== 'inbox' && id === null)
    return { problem: 'Open the page of the object. Its timeline links to its acts.' };
  if (kind === undefined && id !== null) return { problem: 'Choose what kind of object the id belongs to.' };
  return kind === undefined ? read : { filter: { ...read.filter, object: { kind, id: id ?? 'inbox' } } };
}

const NAMED_OBJECTS = 3;

function columnsOf(call: ScreenCall): readonly Column<ListedAuditEntry>[] {
  return [
    { header: LABELS.time, cell: ({ at }) => <Time at={at} /> },
    {
      header: 'Actor',
      cell: ({ id, actor }) => (
        <MaybeLink href={call.gate.isForAllPartners ? call.at('/audit', { by: id }) : null}>
          {actorName({ actor })}
        </MaybeLink>
      ),
    },
    { header: LABELS.act.through, cell: doorText },
    { header: LABELS.one.act, cell: (entry) => <ActLink call={call} entry={entry} /> },
    {
      header: LABELS.all.objects,
      cell: ({ id, objects, objectNames, count }) => (
        <>
          {objects.slice(0, NAMED_OBJECTS).map((object, index) => (
            <ObjectLink call={call} object={object} name={objectNames[index] ?? null} />
          ))}
          {count === null ? null : <span>{countInAll(count)}</span>}{' '}
          {call.gate.isForAllPartners && objects.length > NAMED_OBJECTS ? (
            <a href={call.at(`/audit/${id}`)}>Show all objects</a>
          ) : null}
        </>
      ),
    },
    { header: LABELS.one.partner, cell: ({ keyLabel }) => keyLabel ?? '–' },
    { header: LABELS.act.change, cell: (entry) => changesText(entry) ?? '–' },
    { header: LABELS.reason, cell: (entry) => reasonText(entry) ?? '–' },
  ];
}

function ActLink({ call, entry }: { readonly call: ScreenCall; readonly entry: ListedAuditEntry }) {
  const detail = actDetail({ ...entry, count: null });
  return (
    <>
      <a href={call.at('/audit', { act: entry.act })} title={entry.act}>
        {actName(entry.act)}
      </a>
      {detail === null ? null : ` (${detail})`}
    </>
  );
}

/** The entries of the audit. */
export const auditScreen: Screen = {
  name: 'audit',
  label: LABELS.all.audit,
  path: '/audit',
  rights: ['audit:read'],
  pages: { '/audit': showAudit, '/audit/:id': showEntry },
  // The filter is sent by POST, because the id of an actor comes from the host and is often an e-mail address.
  actions: { '/audit': (call) => showAudit(call, call.form) },
};
