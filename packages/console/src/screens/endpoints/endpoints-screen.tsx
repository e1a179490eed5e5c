import type { EndpointReport } from '@partner-hiring/core';
import { sectionsOf } from '../../features/features.js';
import type { Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { type Column, DataTable } from '../../view/data-table.js';
import { MaybeLink, Section, Time } from '../../view/parts.js';
import { EndpointBadge } from '../parts/badges.js';
import { choosing } from '../parts/choose-rows.js';
import { defineList } from '../parts/define-list.js';
import { outcomeSentence } from '../parts/outcome-text.js';
import { SlowWords } from '../parts/slow-words.js';
import { endpointActions } from './endpoint-actions.js';
import { pausingActs } from './endpoint-actions-card.js';
import { showEndpoint } from './endpoint-page.js';
import { EVENTS_WAITING, FAILING_CAPTION, failingColumns } from './failing-columns.js';
import { listEndpointRows, listFailingRows } from './list-endpoint-rows.js';
import { PauseWords } from './pause-words.js';

const MOST_FAILING = 50;

const showEndpoints = defineList<EndpointReport>({
  title: LABELS.all.endpoints,
  path: '/endpoints',
  fields: [],
  read: async (call, fields) => {
    const { gate } = call;
    const cursor = fields.text('cursor');
    const isFirst = cursor === null && gate.isForAllPartners;
    const failing = isFirst ? await listFailingRows(gate, { limit: MOST_FAILING }) : null;
    const { items: rows, nextCursor } = await listEndpointRows(gate, cursor);
    const sections = await sectionsOf('endpoints', { call });
    const { columns, around } = choosing(sections, columnsOf(call), ({ keyId, keyLabel }) => [
      keyId,
      keyLabel,
    ]);
    return {
      items: rows,
      nextCursor,
      caption: 'Endpoints. On each page, failing ones come first, then paused ones',
      empty: 'There is no endpoint. To add one, open a key and set its URL.',
      columns,
      acts: ({ keyId, state }) => pausingActs(call, keyId, state),
      around: (table) => (
        <>
          {failing === null ? null : (
            <Section title="Failing">
              <DataTable
                caption={FAILING_CAPTION}
                empty={rows.length === 0 ? 'There is no endpoint yet.' : 'No endpoint is failing.'}
                rows={failing.items}
                columns={failingColumns(call)}
              />
            </Section>
          )}
          <Section title={gate.isForAllPartners ? 'All endpoints' : 'Your endpoints'}>
            {around(table)}
          </Section>
        </>
      ),
    };
  },
});

function columnsOf(call: ScreenCall): readonly Column<EndpointReport>[] {
  return [
    {
      header: LABELS.endpoint.of,
      cell: ({ keyId, keyLabel }) => <a href={call.at(`/endpoints/${keyId}`)}>{keyLabel}</a>,
    },
    {
      header: LABELS.state,
      cell: ({ keyId, state, health }) => (
        <>
          <EndpointBadge state={state} isFailing={health.firstFailureAt !== null} />{' '}
          {state.kind === 'paused' ? <PauseWords gate={call.gate} keyId={keyId} state={state} /> : null}
          {health.gap === null ? null : <SlowWords gap={health.gap} />}
        </>
      ),
    },
    { header: LABELS.endpoint.failingSince, cell: ({ health }) => <Time at={health.firstFailureAt} /> },
    { header: LABELS.endpoint.lastFailure, cell: ({ health }) => outcomeSentence(health.lastFailure) },
    { header: LABELS.endpoint.lastSuccess, cell: ({ health }) => <Time at={health.lastSuccessAt} /> },
    EVENTS_WAITING,
    {
      header: LABELS.one.key,
      cell: ({ keyId }) => <MaybeLink href={call.link('keys', `/${keyId}`)}>Key</MaybeLink>,
    },
  ];
}

/** The webhook endpoints of the partners, and one endpoint with its health. */
export const endpointsScreen: Screen = {
  name: 'endpoints',
  label: LABELS.all.endpoints,
  path: '/endpoints',
  rights: ['endpoints:read'],
  pages: {
    '/endpoints': showEndpoints,
    '/endpoints/:key': (call) => showEndpoint(call),
  },
  actions: endpointActions,
};
