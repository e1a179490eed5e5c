import type { LoggedRequest } from '@partner-hiring/core';
import type { Screen, ScreenCall } from '../../http/screen.js';
import type { Column } from '../../view/data-table.js';
import { countText, MaybeLink, StateBadge, Time } from '../../view/parts.js';
import { cursorOf, defineList, type FilterField } from '../parts/define-list.js';
import { latencyText } from '../parts/outcome-text.js';
import { readRequestFilter } from './request-list-filter.js';
import { showRequest } from './request-page.js';

const FIELDS: readonly FilterField[] = [
  { name: 'key', label: 'Partner key', kind: 'key' },
  { name: 'partner', label: 'Partner id', kind: { idOf: 'partner' } },
  { name: 'application', label: 'Application id', kind: { idOf: 'application' } },
  { name: 'errors', label: 'Answers', kind: 'choice', any: 'All', options: [['yes', 'Only errors']] },
  { name: 'since', label: 'From (UTC)', kind: 'instant' },
  { name: 'until', label: 'Before (UTC)', kind: 'instant' },
  {
    name: 'id',
    label: 'Request id',
    kind: { idOf: 'request' },
    hint: 'The header X-Request-Id of the answer. Opens the request. Ignores the other fields.',
    leads: true,
  },
];

const showRequests = defineList<LoggedRequest>({
  title: 'Requests',
  path: '/requests',
  fields: FIELDS,
  read: async (call, fields) => {
    const id = fields.text('id');
    if (id !== null) return { kind: 'redirect', to: call.at(`/requests/${encodeURIComponent(id)}`) };
    const read = readRequestFilter(fields, call.gate);
    if ('problem' in read) return read;
    return {
      ...(await call.gate.call('requests.list', { ...read.filter, cursor: cursorOf(fields) })),
      caption: 'Requests, newest first. Successful reads are only counted: see the key',
      empty: 'No request matches. The log keeps submissions and errors for some days.',
      columns: columnsOf(call),
    };
  },
});

function columnsOf(call: ScreenCall): readonly Column<LoggedRequest>[] {
  return [
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
  ];
}

/** The requests of the partners, and one request with the rule that refused it. */
export const requestsScreen: Screen = {
  name: 'requests',
  label: 'Requests',
  path: '/requests',
  rights: ['requests:read'],
  pages: { '/requests': showRequests, '/requests/:id': showRequest },
};
