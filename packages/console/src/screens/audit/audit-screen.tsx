import type { Act, AuditFilter, AuditObject, AuditObjectKind, ListedAuditEntry } from '@partner-hiring/core';
import { GATE } from '../../gate/gate-table.js';
import type { Fields, PageContent, Screen, ScreenCall } from '../../http/screen.js';
import { DataTable, Pager } from '../../view/data-table.js';
import { FilterForm, SelectField, TextField } from '../../view/forms.js';
import { MaybeLink, Note, Section, Time } from '../../view/parts.js';

/** Who did what. */
export const auditScreen: Screen = {
  name: 'audit',
  label: 'Audit',
  path: '/audit',
  rights: ['audit:read'],
  pages: { '/audit': showAudit },
};

const PER_PAGE = 50;
const FIELDS = ['actor', 'act', 'kind', 'id', 'since', 'until'] as const;

const KINDS = [
  ['application', 'Application'],
  ['company', 'Company'],
  ['delivery', 'Delivery'],
  ['endpoint', 'Endpoint'],
  ['inbox', 'Inbox'],
  ['job', 'Job'],
  ['key', 'Key'],
  ['operation', 'Operation'],
  ['partner', 'Partner'],
] as const satisfies readonly (readonly [AuditObjectKind, string])[];

/** Suggestions. The audit also has commands that the console does not call. */
const SUGGESTED_ACTS = Object.entries(GATE).flatMap(([name, { kind }]) => (kind === 'write' ? [name] : []));

async function showAudit(call: ScreenCall): Promise<PageContent> {
  const { query, gate } = call;
  const read = readFilter(query);
  if ('problem' in read) return page(call, <Note tone="warn">{read.problem}</Note>, 400);
  if (!gate.isForAllPartners && read.filter.object === undefined) {
    return page(
      call,
      <Note>Your rights cover some partners. Choose an application, a key, an endpoint or a partner.</Note>,
    );
  }
  const cursor = query.text('cursor');
  const filter = { ...read.filter, limit: PER_PAGE, ...(cursor === null ? {} : { cursor }) };
  const { entries, nextCursor } = await gate.call('audit.list', filter);
  const kept = Object.fromEntries(FIELDS.map((name) => [name, query.text(name)]));
  return page(
    call,
    <>
      <AuditTable call={call} entries={entries} />
      <Pager
        first={cursor === null ? null : call.at('/audit', kept)}
        next={nextCursor === null ? null : call.at('/audit', { ...kept, cursor: nextCursor })}
      />
    </>,
  );
}

type ReadFilter = { readonly filter: AuditFilter } | { readonly problem: string };

function readFilter(query: Fields): ReadFilter {
  const [actor, act, id] = [query.text('actor'), query.text('act'), query.text('id')];
  const kind = KINDS.find(([value]) => value === query.text('kind'))?.[0] ?? null;
  if (kind !== null && kind !== 'inbox' && id === null) return { problem: 'Enter the id of the object.' };
  if (kind === null && id !== null) return { problem: 'Choose what kind of object the id belongs to.' };
  const chosen = [
    actor === null ? [] : ['Actor'],
    act === null ? [] : ['Act'],
    kind === null ? [] : ['Object'],
  ].flat();
  if (chosen.length > 1) {
    return {
      problem: `Choose one of ${chosen.join(', ')}, and remove the others. Each can be combined with a time.`,
    };
  }
  const [since, until] = [query.instant('since'), query.instant('until')];
  return {
    filter: {
      ...(actor === null ? {} : { actorId: actor }),
      // The operator refuses an unknown name, and lists the known ones.
      ...(act === null ? {} : { act: act as Act }),
      ...(kind === null ? {} : { object: { kind, id: id ?? 'inbox' } }),
      ...(since === null ? {} : { since }),
      ...(until === null ? {} : { until }),
    },
  };
}

function page(call: ScreenCall, results: PageContent['body'], status: 200 | 400 = 200): PageContent {
  const { query } = call;
  const body = (
    <>
      <Section title="Filter">
        <FilterForm action={call.at('/audit')} submit="Filter">
          <TextField name="actor" label="Actor id" value={query.text('actor')} maxLength={200} />
          <p class="field">
            <label for="act">Act</label>
            <input id="act" name="act" list="acts" value={query.text('act') ?? ''} autocomplete="off" />
            <datalist id="acts">
              {SUGGESTED_ACTS.map((name) => (
                <option value={name} />
              ))}
            </datalist>
          </p>
          <SelectField name="kind" label="Object" any="Any" value={query.text('kind')} options={KINDS} />
          <TextField name="id" label="Object id" value={query.text('id')} maxLength={200} />
          <TextField name="since" type="datetime-local" label="From (UTC)" value={query.text('since')} />
          <TextField name="until" type="datetime-local" label="Before (UTC)" value={query.text('until')} />
        </FilterForm>
      </Section>
      {results}
    </>
  );
  return { kind: 'page', title: 'Audit', body, status };
}

const NAMED_OBJECTS = 3;

function AuditTable({
  call,
  entries,
}: {
  readonly call: ScreenCall;
  readonly entries: readonly ListedAuditEntry[];
}) {
  return (
    <DataTable
      caption="Acts, newest first"
      empty="No act matches."
      rows={entries}
      columns={[
        { header: 'Time', cell: ({ at }) => <Time at={at} /> },
        {
          header: 'Actor',
          cell: ({ actor }) => <a href={call.at('/audit', { actor: actor.id })}>{actor.name ?? actor.id}</a>,
        },
        { header: 'Act', cell: ({ act }) => <a href={call.at('/audit', { act })}>{act}</a> },
        {
          header: 'Objects',
          cell: ({ objects, count }) => (
            <>
              {objects.slice(0, NAMED_OBJECTS).map((object) => (
                <ObjectLink call={call} object={object} />
              ))}
              {objects.length > NAMED_OBJECTS ? (
                <span>{`and ${objects.length - NAMED_OBJECTS} more`}</span>
              ) : null}
              {count === null ? null : <span>{`${count.toLocaleString('en-US')} in all`}</span>}
            </>
          ),
        },
        { header: 'Partner', cell: ({ keyLabel }) => keyLabel ?? '–' },
        { header: 'Change', cell: ({ before, after }) => changeText(before, after) },
        { header: 'Reason', cell: ({ actor }) => actor.reason ?? '–' },
      ]}
    />
  );
}

const SCREENS: Readonly<Partial<Record<AuditObjectKind, string>>> = {
  ...{ application: 'applications', key: 'keys', partner: 'partners', job: 'jobs', company: 'companies' },
  ...{ endpoint: 'endpoints', operation: 'operations' },
};

function ObjectLink({
  call,
  object: { kind, id },
}: {
  readonly call: ScreenCall;
  readonly object: AuditObject;
}) {
  const screen = SCREENS[kind];
  const href = screen === undefined ? null : call.link(screen, `/${id}`);
  return (
    <span class="object">
      <MaybeLink href={href ?? call.at('/audit', { kind, id })}>{`${kind} ${id}`}</MaybeLink>
    </span>
  );
}

/** Writes `status: received → accepted`. */
function changeText(before: ListedAuditEntry['before'], after: ListedAuditEntry['after']): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const texts = names.map((name) => {
    const [from, to] = [before?.[name], after?.[name]].map(valueText);
    return from === '' ? `${name}: ${to}` : `${name}: ${from} → ${to}`;
  });
  return texts.length === 0 ? '–' : texts.join('; ');
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
