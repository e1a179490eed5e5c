import type { EndpointReport } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import type { Column } from '../../view/data-table.js';
import { countText, MaybeLink, Time } from '../../view/parts.js';
import { EndpointBadge } from '../parts/badges.js';
import { outcomeSentence } from '../parts/outcome-text.js';

export const FAILING_CAPTION = 'Endpoints whose last attempt failed, the longest failing first';

export const EVENTS_WAITING: Column<EndpointReport> = {
  header: 'Events waiting',
  isNumber: true,
  cell: ({ counts: { due, scheduled, paused, isExact } }) => countText(due + scheduled + paused, isExact),
};

/** The columns of a list of failing endpoints. */
export function failingColumns(call: ScreenCall): readonly Column<EndpointReport>[] {
  return [
    {
      header: LABELS.endpoint.of,
      cell: ({ keyId, keyLabel }) => (
        <MaybeLink href={call.link('endpoints', `/${keyId}`)}>{keyLabel}</MaybeLink>
      ),
    },
    { header: LABELS.state, cell: ({ state }) => <EndpointBadge state={state} isFailing /> },
    { header: LABELS.endpoint.failingSince, cell: ({ health }) => <Time at={health.firstFailureAt} /> },
    {
      header: LABELS.endpoint.failedAttempts,
      isNumber: true,
      cell: ({ health }) => countText(health.consecutiveFailures),
    },
    { header: LABELS.endpoint.lastFailure, cell: ({ health }) => outcomeSentence(health.lastFailure) },
    EVENTS_WAITING,
  ];
}
