import type { EndpointReport } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import type { Column } from '../../view/data-table.js';
import { countText, MaybeLink, Time } from '../../view/parts.js';
import { EndpointBadge } from '../parts/badges.js';
import { failureText } from './endpoint-texts.js';

/** The columns of a list of failing endpoints. */
export function failingColumns(call: ScreenCall): readonly Column<EndpointReport>[] {
  return [
    {
      header: 'Endpoint of',
      cell: ({ keyId, keyLabel }) => (
        <MaybeLink href={call.link('endpoints', `/${keyId}`)}>{keyLabel}</MaybeLink>
      ),
    },
    { header: 'State', cell: ({ state }) => <EndpointBadge state={state} isFailing /> },
    { header: 'Failing since', cell: ({ health }) => <Time at={health.firstFailureAt} /> },
    {
      header: 'Failed attempts',
      isNumber: true,
      cell: ({ health }) => countText(health.consecutiveFailures),
    },
    { header: 'Last failure', cell: ({ health }) => failureText(health.lastFailure) },
    {
      header: 'Events waiting',
      isNumber: true,
      cell: ({ counts: { due, scheduled, paused, isExact } }) => countText(due + scheduled + paused, isExact),
    },
  ];
}
