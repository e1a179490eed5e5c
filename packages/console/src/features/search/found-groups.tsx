import type { SearchKind, SearchResult } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { applicationColumns } from '../../screens/applications/application-columns.js';
import { AnswerBadge } from '../../screens/parts/badges.js';
import { labelOf } from '../../screens/parts/choices.js';
import { type Column, DataTable } from '../../view/data-table.js';
import { shortId } from '../../view/ids.js';
import { MaybeLink, Note, StateBadge, Time } from '../../view/parts.js';
import { operationName } from '../operations/texts.js';
import { RefusedNote } from '../request-log/section.js';

interface FoundGroupsProps {
  readonly call: ScreenCall;
  readonly found: SearchResult;
  readonly text: string;
  readonly empty: string;
}

/** The groups of a search that have found something. */
export function FoundGroups({ call, found, text, empty }: FoundGroupsProps) {
  const groups = groupsOf(call, found).filter((each) => each !== null);
  return (
    <>
      <p>
        For <q>{text}</q>
      </p>
      {[found.people, found.applications].every(({ length }) => length === 0) ? (
        <RefusedNote call={call} />
      ) : null}
      {groups.length === 0 ? <Note>{empty}</Note> : <div class="found">{groups}</div>}
      {found.people.length === 0 ? null : (
        <p class="hint">Names are masked. Each person here matches everything that you typed.</p>
      )}
      {found.incomplete.length === 0 ? null : (
        <Note>
          There may be more in: {found.incomplete.map((kind) => NAMES[kind]).join(', ')}. Add a word to find
          less.
        </Note>
      )}
    </>
  );
}

const NAMES: { readonly [Kind in SearchKind]: string } = {
  person: 'People',
  application: LABELS.all.applications,
  partner: LABELS.all.partners,
  key: LABELS.all.keys,
  company: LABELS.all.companies,
  job: LABELS.all.jobs,
  event: LABELS.all.events,
  request: LABELS.all.requests,
  operation: LABELS.all.operations,
};

export const SEARCHED_KINDS = Object.keys(NAMES) as readonly SearchKind[];

/** A group that has found something. */
function group<Row>(kind: SearchKind, rows: readonly Row[], columns: readonly Column<Row>[]): Child {
  return rows.length === 0 ? null : (
    <DataTable caption={NAMES[kind]} columns={columns} rows={rows} empty="" />
  );
}

function groupsOf(call: ScreenCall, found: SearchResult): readonly Child[] {
  const { people, applications, partners, keys, companies, jobs, events, requests, operations } = found;
  const to = (screen: string, id: string, text: string) => (
    <MaybeLink href={call.link(screen, `/${id}`)}>{text}</MaybeLink>
  );
  return [
    group('person', people, [
      {
        header: 'Newest application',
        cell: ({ application: { id, candidate } }) =>
          to('application', id, `${candidate.firstName} ${candidate.lastName}`),
      },
      { header: LABELS.candidate.email, cell: ({ application }) => application.candidate.email },
      { header: LABELS.candidate.phone, cell: ({ application }) => application.candidate.phone },
      { header: LABELS.one.job, cell: ({ application }) => application.jobTitle },
      { header: LABELS.one.company, cell: ({ application }) => application.companyName },
      { header: LABELS.one.partner, cell: ({ application }) => application.keyLabel },
      {
        header: LABELS.application.status,
        cell: ({ application }) => <StateBadge state={application.status} />,
      },
      {
        header: LABELS.application.submittedAt,
        cell: ({ application }) => <Time at={application.submittedAt} />,
      },
      {
        header: 'Everything',
        cell: ({ application }) =>
          call.gate.isForAllPartners ? to('people', application.id, 'All applications') : '–',
      },
    ]),
    group('application', applications, applicationColumns(call)),
    group('partner', partners, [
      { header: LABELS.one.partner, cell: ({ id, name }) => to('partners', id, name) },
    ]),
    group('key', keys, [{ header: LABELS.one.key, cell: ({ key, label }) => to('keys', key.id, label) }]),
    group('company', companies, [
      { header: LABELS.one.company, cell: ({ id, name }) => to('companies', id, name) },
      { header: LABELS.environment, cell: ({ environment }) => environment },
    ]),
    group('job', jobs, [
      { header: LABELS.one.job, cell: ({ id, title }) => to('jobs', id, title) },
      { header: LABELS.one.company, cell: ({ companyName }) => companyName },
      { header: LABELS.state, cell: ({ state }) => <StateBadge state={state} /> },
    ]),
    group('event', events, [
      {
        header: LABELS.one.event,
        cell: ({ id, keyId, type }) => to('deliveries', `${keyId}/${id}`, labelOf(type)),
      },
      { header: LABELS.one.partner, cell: ({ keyLabel }) => keyLabel },
      { header: LABELS.time, cell: ({ at }) => <Time at={at} /> },
    ]),
    group('request', requests, [
      {
        header: LABELS.one.request,
        cell: ({ requestId, method, route }) => (
          <>
            {to('requests', requestId, `${method} ${route ?? 'unknown path'}`)}{' '}
            <small title={requestId}>{shortId(requestId)}</small>
          </>
        ),
      },
      { header: LABELS.one.partner, cell: ({ keyLabel }) => keyLabel ?? '–' },
      { header: LABELS.answer, cell: ({ status, code }) => <AnswerBadge status={status} code={code} /> },
      { header: LABELS.time, cell: ({ at }) => <Time at={at} /> },
    ]),
    group('operation', operations, [
      { header: LABELS.one.operation, cell: ({ id, plan }) => to('operations', id, operationName(plan)) },
      { header: LABELS.state, cell: ({ state }) => <StateBadge state={state} /> },
      { header: LABELS.startedAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
    ]),
  ];
}
