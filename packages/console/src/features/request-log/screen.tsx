import type { ListedRequest } from '@partner-hiring/core';
import type { Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { AnswerBadge } from '../../screens/parts/badges.js';
import { LOGGED_STATUSES } from '../../screens/parts/choices.js';
import { cursorOf, defineList } from '../../screens/parts/define-list.js';
import { filterOf, ofOwnPartner } from '../../screens/parts/list-filter.js';
import { NamedLink } from '../../screens/parts/names.js';
import { latencyText } from '../../screens/parts/outcome-text.js';
import type { Column } from '../../view/data-table.js';
import { Code, countText, MaybeLink, Time } from '../../view/parts.js';
import { showRequest } from './request-page.js';

const FILTER = filterOf(
  'requests.list',
  [
    { name: 'key', label: LABELS.one.partner, isOwner: true },
    { name: 'application', label: LABELS.one.application, isPinned: true },
    { name: 'job', label: LABELS.one.job, kind: { idOf: 'job' } },
    { name: 'field', label: 'Field that failed', asWritten: true },
    { name: 'fieldCode', label: 'Code of the field', asWritten: true },
    {
      name: 'status',
      label: 'Status of the answer',
      options: LOGGED_STATUSES.map((status) => [status, status] as const),
    },
    { name: 'code', label: 'Code of the answer', asWritten: true },
    { name: 'errors', field: 'onlyErrors', label: 'Answers', any: 'All', yes: 'Only errors' },
    { name: 'since', label: LABELS.since },
    { name: 'until', label: LABELS.until },
    {
      name: 'id',
      label: LABELS.request.id,
      kind: { idOf: 'request' },
      hint: 'The header X-Request-Id of the answer. Opens the request. Ignores the other fields.',
      leads: true,
    },
  ],
  ['key', 'application'],
);

const showRequests = defineList<ListedRequest>({
  title: LABELS.all.requests,
  path: '/requests',
  fields: FILTER.fields,
  rules: FILTER.rules,
  read: async (call, fields) => {
    const id = fields.text('id');
    if (id !== null) return { kind: 'redirect', to: call.at(`/requests/${encodeURIComponent(id)}`) };
    const chosen = FILTER.read(fields);
    const read = 'problem' in chosen ? chosen : ofOwnPartner(chosen.filter, call.gate);
    if ('problem' in read) return read;
    const found = await call.gate.call('requests.list', { ...read.filter, cursor: cursorOf(fields) });
    return {
      ...found,
      caption: 'Requests, newest first. Successful reads are only counted: see the key',
      empty: emptyText(found.nextCursor),
      none: 'The log has no request. It keeps submissions and errors for some days.',
      columns: columnsOf(call),
      after: <TotalsHint call={call} owner={read.filter} items={found.items} />,
    };
  },
});

interface TotalsHintProps {
  readonly call: ScreenCall;
  readonly owner: { readonly keyId?: string | undefined; readonly partnerId?: string | undefined };
  readonly items: readonly ListedRequest[];
}

/** Leads from the requests of one partner to its totals, and otherwise says where they are. */
function TotalsHint({ call, owner: { keyId, partnerId }, items }: TotalsHintProps) {
  const id = partnerId ?? (keyId === undefined ? null : items[0]?.partnerId) ?? null;
  const href = id === null ? null : call.link('partners', `/${id}`);
  return (
    <p class="hint">
      {'Totals by code and by field, for 24 hours and 7 days: '}
      {href === null ? 'see “Health” on the page of a partner.' : <a href={href}>Health of this partner</a>}
    </p>
  );
}

/** A page of a filter by fields reads a part of the log. */
function emptyText(nextCursor: string | null): string {
  return nextCursor === null
    ? 'No request matches. The log keeps submissions and errors for some days.'
    : 'No request matches in this part of the log. The next page looks at older requests.';
}

function columnsOf(call: ScreenCall): readonly Column<ListedRequest>[] {
  return [
    {
      header: LABELS.time,
      cell: ({ at, requestId }) => (
        <a href={call.at(`/requests/${requestId}`)}>
          <Time at={at} />
        </a>
      ),
    },
    {
      header: LABELS.one.partnerKey,
      cell: ({ keyId, keyLabel }) =>
        keyId === null ? (
          'no valid key'
        ) : (
          <MaybeLink href={call.link('keys', `/${keyId}`)}>{keyLabel}</MaybeLink>
        ),
    },
    {
      header: LABELS.one.request,
      cell: ({ method, route }) => <Code text={`${method} ${route ?? 'unknown path'}`} />,
    },
    {
      header: LABELS.answer,
      cell: ({ status, code }) => <AnswerBadge status={status} code={code} />,
    },
    { header: LABELS.request.fields, cell: ({ fields }) => (fields.length === 0 ? '–' : fields.join(', ')) },
    {
      header: LABELS.one.job,
      cell: ({ jobId, jobTitle }) =>
        jobId === null ? (
          '–'
        ) : (
          <NamedLink
            href={jobTitle === null ? null : call.link('jobs', `/${jobId}`)}
            name={jobTitle}
            id={jobId}
          />
        ),
    },
    { header: LABELS.one.company, cell: ({ companyName }) => companyName ?? '–' },
    {
      header: LABELS.one.application,
      cell: ({ applicationId }) =>
        applicationId === null ? (
          '–'
        ) : (
          <MaybeLink href={call.link('applications', `/${applicationId}`)}>Application</MaybeLink>
        ),
    },
    { header: LABELS.all.requests, isNumber: true, cell: ({ count }) => countText(count) },
    { header: LABELS.took, isNumber: true, cell: ({ durationMs }) => latencyText(durationMs) },
  ];
}

/** The requests of the partners, and one request with the rule that refused it. */
export const requestsScreen: Screen = {
  name: 'requests',
  label: LABELS.all.requests,
  path: '/requests',
  rights: ['requests:read'],
  pages: { '/requests': showRequests, '/requests/:id': showRequest },
};
