import type { Endpoint, KeyId, Page } from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';
import type { ScreenCall } from '../../http/screen.js';
import type { Column } from '../../view/data-table.js';
import { countText, None, Time } from '../../view/parts.js';
import { failureText } from '../endpoints/endpoint-texts.js';
import { type EndpointRow, listEndpointRows } from '../endpoints/list-endpoint-rows.js';
import { PauseWords } from '../endpoints/pause-words.js';
import { EndpointBadge } from '../parts/badges.js';
import { cursorOf, type ListDeclaration } from '../parts/define-list.js';

/** A failing endpoint. `waiting` is null if the events that wait were not counted. */
export interface FailingQueueRow {
  readonly keyId: KeyId;
  readonly label: string;
  readonly state: Endpoint['state'];
  readonly since: number;
  readonly attempts: number;
  readonly lastFailure: Endpoint['health']['lastFailure'];
  readonly waiting: string | null;
}

/** Failing endpoints of all partners, longest failing first. For some partners, those of these. */
export const FAILING: ListDeclaration<FailingQueueRow> = {
  title: 'Failing endpoints',
  path: '/queues/failing',
  fields: [],
  read: async (call, fields) => ({
    ...(await readFailing(call.gate, cursorOf(fields))),
    caption: 'Endpoints whose last attempt failed, the longest failing first',
    empty: 'No endpoint is failing.',
    columns: [
      {
        header: 'Endpoint of',
        cell: ({ keyId, label }) => <a href={call.at(`/endpoints/${keyId}`)}>{label}</a>,
      },
      { header: 'State', cell: ({ state }) => <EndpointBadge state={state} isFailing /> },
      { header: 'Failing since', cell: ({ since }) => <Time at={since} /> },
      { header: 'Failed attempts', isNumber: true, cell: ({ attempts }) => countText(attempts) },
      { header: 'Last failure', cell: ({ lastFailure }) => failureText(lastFailure) },
      { header: 'Events waiting', isNumber: true, cell: ({ waiting }) => waiting ?? <None /> },
    ],
  }),
};

export async function readFailing(gate: Gate, cursor?: string): Promise<Page<FailingQueueRow>> {
  if (gate.isForAllPartners) {
    const { items, nextCursor } = await gate.call('endpoints.listFailing', { cursor });
    const rows = items.map(
      ({ keyId, partnerName, environment, state, failingSince, attempts, lastFailure, ...counts }) => ({
        keyId,
        label: `${partnerName} (${environment})`,
        state,
        since: failingSince,
        attempts,
        lastFailure,
        waiting: countText(counts.waiting, counts.isExact),
      }),
    );
    return { items: rows, nextCursor };
  }
  const { rows } = await listEndpointRows(gate, null);
  const failing = rows.flatMap(({ keyId, keyLabel: label, state, health }): readonly FailingQueueRow[] => {
    const { firstFailureAt: since, consecutiveFailures: attempts, lastFailure } = health;
    return since === null ? [] : [{ keyId, label, state, since, attempts, lastFailure, waiting: null }];
  });
  return { items: failing.toSorted((one, other) => one.since - other.since), nextCursor: null };
}

/** Paused endpoints of all partners, longest paused first. For some partners, those of these. */
export const PAUSED: ListDeclaration<EndpointRow> = {
  title: 'Paused endpoints',
  path: '/queues/paused',
  fields: [],
  read: async (call, fields) => ({
    ...(await readPaused(call.gate, cursorOf(fields))),
    caption: 'Endpoints that are paused, the longest paused first. Their events wait',
    empty: 'No endpoint is paused.',
    columns: pausedColumns(call),
  }),
};

export async function readPaused(gate: Gate, cursor?: string): Promise<Page<EndpointRow>> {
  if (gate.isForAllPartners) return gate.call('endpoints.list', { onlyPaused: true, cursor });
  const { rows } = await listEndpointRows(gate, null);
  const paused = rows.filter(({ state }) => state.kind === 'paused');
  return {
    items: paused.toSorted((one, other) => pausedAtOf(one) - pausedAtOf(other)),
    nextCursor: null,
  };
}

function pausedColumns(call: ScreenCall): readonly Column<EndpointRow>[] {
  return [
    {
      header: 'Endpoint of',
      cell: ({ keyId, keyLabel }) => <a href={call.at(`/endpoints/${keyId}`)}>{keyLabel}</a>,
    },
    {
      header: 'Paused',
      cell: ({ keyId, state }) =>
        state.kind === 'paused' ? <PauseWords gate={call.gate} keyId={keyId} state={state} /> : <None />,
    },
    { header: 'Last failure', cell: ({ health }) => failureText(health.lastFailure) },
    { header: 'Last success', cell: ({ health }) => <Time at={health.lastSuccessAt} /> },
  ];
}

export function pausedAtOf({ state }: Pick<Endpoint, 'state'>): number {
  return state.kind === 'paused' ? state.pausedAt : 0;
}
