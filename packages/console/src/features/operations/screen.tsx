import type { ListedOperation } from '@partner-hiring/core';
import type { Screen } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { actorName } from '../../screens/parts/act-words.js';
import { cursorOf, defineList } from '../../screens/parts/define-list.js';
import { filterOf } from '../../screens/parts/list-filter.js';
import { StateBadge, Time } from '../../view/parts.js';
import { readOperation, showOperation, stopOperation } from './operation-page.js';
import { operationName, progressText } from './texts.js';

const FILTER = filterOf('operations.list', [{ name: 'state', label: LABELS.state }]);

const showOperations = defineList<ListedOperation>({
  title: LABELS.all.operations,
  path: '/operations',
  fields: FILTER.fields,
  read: async (call, fields) => {
    if (!call.gate.isForAllPartners) return ONLY_OWN;
    const read = FILTER.read(fields);
    if ('problem' in read) return read;
    const page = await call.gate.call('operations.list', { ...read.filter, cursor: cursorOf(fields) });
    return {
      ...page,
      caption: 'Acts that the worker runs in steps, newest first',
      empty: 'No operation is in this state.',
      none: 'There is no operation yet. Acts that take long run as operations, and so does publishing in steps.',
      columns: [
        {
          header: LABELS.one.operation,
          cell: ({ id, plan }) => <a href={call.at(`/operations/${id}`)}>{operationName(plan)}</a>,
        },
        { header: LABELS.state, cell: ({ state }) => <StateBadge state={state} /> },
        { header: LABELS.progress, cell: (operation) => progressText(operation) },
        { header: LABELS.one.partnerKey, cell: ({ keyLabel }) => keyLabel ?? '–' },
        { header: LABELS.startedBy, cell: ({ startedBy }) => actorName({ actor: startedBy }) },
        { header: LABELS.startedAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
        { header: LABELS.endedAt, cell: ({ finishedAt }) => <Time at={finishedAt} /> },
        { header: LABELS.lastError, cell: ({ lastError }) => lastError },
      ],
    };
  },
});

/** Only somebody for all partners sees the list. */
const ONLY_OWN = {
  problem:
    'Your rights cover some partners. An act that takes long opens the page of its operation on its own.',
  status: 200,
} as const;

/** Long acts, and one with its progress. */
export const operationsScreen: Screen = {
  name: 'operations',
  label: LABELS.all.operations,
  path: '/operations',
  rights: ['operations:read'],
  pages: {
    '/operations': showOperations,
    '/operations/:id': showOperation,
    '/operations/:id/live': readOperation,
  },
  actions: { '/operations/:id/stop': stopOperation },
};
