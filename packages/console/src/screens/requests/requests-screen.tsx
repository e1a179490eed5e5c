import type { KeyView, LoggedRequest } from '@partner-hiring/core';
import { listKeysInScope } from '../../gate/keys-in-scope.js';
import type { PageContent, Redirection, Screen, ScreenCall } from '../../http/screen.js';
import { DataTable, Pager } from '../../view/data-table.js';
import { FilterForm, IdField, SelectField, TextField } from '../../view/forms.js';
import { countText, MaybeLink, Note, Section, StateBadge, Time } from '../../view/parts.js';
import { KeyField } from '../parts/key-field.js';
import { latencyText } from '../parts/outcome-text.js';
import { REQUEST_FIELDS, readRequestFilter } from './request-list-filter.js';
import { showRequest } from './request-page.js';

/** The requests of the partners, and one request with the rule that refused it. */
export const requestsScreen: Screen = {
  name: 'requests',
  label: 'Requests',
  path: '/requests',
  rights: ['requests:read'],
  pages: { '/requests': showRequests, '/requests/:id': showRequest },
};

async function showRequests(call: ScreenCall): Promise<PageContent | Redirection> {
  const { query, gate } = call;
  const id = query.text('id');
  if (id !== null) return { kind: 'redirect', to: call.at(`/requests/${encodeURIComponent(id)}`) };
  const { keys } = await listKeysInScope(gate);
  const read = readRequestFilter(query, gate);
  if ('problem' in read) return page(call, keys, <Note tone="warn">{read.problem}</Note>, 400);
  const cursor = query.text('cursor');
  const filter = { ...read.filter, cursor: cursor ?? undefined };
  const { items: requests, nextCursor } = await gate.call('requests.list', filter);
  const kept = Object.fromEntries(REQUEST_FIELDS.map((name) => [name, query.text(name)]));
  return page(
    call,
    keys,
    <>
      <RequestTable call={call} requests={requests} />
      <Pager
        first={cursor === null ? null : call.at('/requests', kept)}
        next={nextCursor === null ? null : call.at('/requests', { ...kept, cursor: nextCursor })}
      />
    </>,
  );
}

function RequestTable({
  call,
  requests,
}: {
  readonly call: ScreenCall;
  readonly requests: readonly LoggedRequest[];
}) {
  return (
    <DataTable
      caption="Requests, newest first. Successful reads are only counted: see the key"
      empty="No request matches. The log keeps submissions and errors for some days."
      rows={requests}
      columns={[
        {
          header: 'Time',
          cell: ({ at, requestId }) => (
            <a href={call.at(`/requests/${requestId}`)}>
              <Time at={at} />
            </a>
          ),
        },
        {
          header: 'Partner key',
          cell: ({ keyId, keyLabel }) =>
            keyId === null ? (
              'no valid key'
            ) : (
              <MaybeLink href={call.link('keys', `/${keyId}`)}>{keyLabel}</MaybeLink>
            ),
        },
        {
          header: 'Request',
          cell: ({ method, route }) => <code>{`${method} ${route ?? 'unknown path'}`}</code>,
        },
        {
          header: 'Answer',
          cell: ({ status, code }) => (
            <StateBadge
              state={code === null ? String(status) : `${status} ${code}`}
              tone={code === null ? 'good' : 'bad'}
            />
          ),
        },
        { header: 'Fields', cell: ({ fields }) => (fields.length === 0 ? '–' : fields.join(', ')) },
        {
          header: 'Application',
          cell: ({ applicationId }) =>
            applicationId === null ? (
              '–'
            ) : (
              <MaybeLink href={call.link('applications', `/${applicationId}`)}>Application</MaybeLink>
            ),
        },
        { header: 'Requests', isNumber: true, cell: ({ count }) => countText(count) },
        { header: 'Took', isNumber: true, cell: ({ durationMs }) => latencyText(durationMs) },
      ]}
    />
  );
}

function page(
  call: ScreenCall,
  keys: readonly KeyView[],
  results: PageContent['body'],
  status: 200 | 400 = 200,
): PageContent {
  const { query } = call;
  const body = (
    <>
      <Section title="Filter">
        <FilterForm action={call.at('/requests')} submit="Filter">
          <KeyField name="key" keys={keys} any="Any" value={query.text('key')} />
          <IdField of="partner" name="partner" label="Partner id" value={query.text('partner')} />
          <IdField
            of="application"
            name="application"
            label="Application id"
            value={query.text('application')}
          />
          <SelectField
            name="errors"
            label="Answers"
            any="All"
            value={query.text('errors')}
            options={[['yes', 'Only errors']]}
          />
          <TextField name="since" type="datetime-local" label="From (UTC)" value={query.text('since')} />
          <TextField name="until" type="datetime-local" label="Before (UTC)" value={query.text('until')} />
          <IdField
            of="request"
            name="id"
            label="Request id"
            value={query.text('id')}
            hint="The header X-Request-Id of the answer. Opens the request. Ignores the other fields."
          />
        </FilterForm>
      </Section>
      {results}
    </>
  );
  return { kind: 'page', title: 'Requests', body, status };
}
