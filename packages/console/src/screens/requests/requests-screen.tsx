import type { LoggedRequest } from '@partner-hiring/core';
import type { Screen, ScreenCall } from '../../http/screen.js';
import type { Column } from '../../view/data-table.js';
import { countText, MaybeLink, Time } from '../../view/parts.js';
import { AnswerBadge } from '../parts/answer-badge.js';
import { cursorOf, defineList } from '../parts/define-list.js';
import { filterOf, ofOwnPartner } from '../parts/list-filter.js';
import { latencyText } from '../parts/outcome-text.js';
import { showRequest } from './request-page.js';

const FILTER = filterOf(
  'requests.list',
  [
    { name: 'key', label: 'Partner key' },
    { name: 'partner', label: 'Partner' },
    { name: 'application', label: 'Application', isPinned: true },
    { name: 'errors', field: 'onlyErrors', label: 'Answers', any: 'All', yes: 'Only errors' },
    { name: 'since', label: 'From (UTC)' },
    { name: 'until', label: 'Before (UTC)' },
    {
      name: 'id',
      label: 'Request id',
      kind: { idOf: 'request' },
      hint: 'The header X-Request-Id of the answer. Opens the request. Ignores the other fields.',
      leads: true,
    },
  ],
  ['key', 'partner', 'application'],
);

const showRequests = defineList<LoggedRequest>({
  title: 'Requests',
  path: '/requests',
  fields: FILTER.fields,
  rules: FILTER.rules,
  read: async (call, fields) => {
    const id = fields.text('id');
    if (id !== null) return { kind: 'redirect', to: call.at(`/requests/${encodeURIComponent(id)}`) };
    const chosen = FILTER.read(fields);
    const read = 'problem' in chosen ? chosen : ofOwnPartner(chosen.filter, call.gate);
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
      cell: ({ status, code }) => <AnswerBadge status={status} code={code} />,
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
