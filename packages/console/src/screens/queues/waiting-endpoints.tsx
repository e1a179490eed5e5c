import type { EndpointReport } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import type { Column } from '../../view/data-table.js';
import { None, Time } from '../../view/parts.js';
import { EVENTS_WAITING, FAILING_CAPTION, failingColumns } from '../endpoints/failing-columns.js';
import { listFailingRows, listPausedRows } from '../endpoints/list-endpoint-rows.js';
import { PauseWords } from '../endpoints/pause-words.js';
import { cursorOf, type ListDeclaration } from '../parts/define-list.js';
import { outcomeSentence } from '../parts/outcome-text.js';

/** Failing endpoints of all partners. For some partners, those of these. */
export const FAILING: ListDeclaration<EndpointReport> = {
  title: LABELS.all.failingEndpoints,
  path: '/queues/failing',
  fields: [],
  read: async (call, fields) => ({
    ...(await listFailingRows(call.gate, { cursor: cursorOf(fields) })),
    caption: FAILING_CAPTION,
    empty: 'No endpoint is failing.',
    columns: failingColumns(call),
  }),
};

/** Paused endpoints of all partners. For some partners, those of these. */
export const PAUSED: ListDeclaration<EndpointReport> = {
  title: LABELS.all.pausedEndpoints,
  path: '/queues/paused',
  fields: [],
  read: async (call, fields) => ({
    ...(await listPausedRows(call.gate, cursorOf(fields))),
    caption: 'Endpoints that are paused, the longest paused first. Their events wait',
    empty: 'No endpoint is paused.',
    columns: pausedColumns(call),
  }),
};

function pausedColumns(call: ScreenCall): readonly Column<EndpointReport>[] {
  return [
    {
      header: LABELS.endpoint.of,
      cell: ({ keyId, keyLabel }) => <a href={call.at(`/endpoints/${keyId}`)}>{keyLabel}</a>,
    },
    {
      header: LABELS.endpoint.paused,
      cell: ({ keyId, state }) =>
        state.kind === 'paused' ? <PauseWords gate={call.gate} keyId={keyId} state={state} /> : <None />,
    },
    { header: LABELS.endpoint.lastFailure, cell: ({ health }) => outcomeSentence(health.lastFailure) },
    { header: LABELS.endpoint.lastSuccess, cell: ({ health }) => <Time at={health.lastSuccessAt} /> },
    EVENTS_WAITING,
  ];
}
