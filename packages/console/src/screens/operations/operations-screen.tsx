import type { ListedOperation, OperationState, Page } from '@partner-hiring/core';
import type { PageContent, Redirection, Screen, ScreenCall } from '../../http/screen.js';
import { DataTable, Pager } from '../../view/data-table.js';
import { FilterForm, SelectField } from '../../view/forms.js';
import { Note, Section, StateBadge, Time } from '../../view/parts.js';
import { readOperation, showOperation, stopOperation } from './operation-page.js';
import { operationName, progressText } from './operation-texts.js';

/** Long acts, and one with its progress. */
export const operationsScreen: Screen = {
  name: 'operations',
  label: 'Operations',
  path: '/operations',
  rights: ['operations:read'],
  pages: {
    '/operations': showOperations,
    '/operations/:id': showOperation,
    '/operations/:id/live': readOperation,
  },
  actions: { '/operations/:id/stop': stopOperation },
};

const STATES = [
  ['running', 'Running'],
  ['done', 'Done'],
  ['stopped', 'Stopped'],
  ['failed', 'Failed'],
] as const satisfies readonly (readonly [OperationState, string])[];

async function showOperations(call: ScreenCall): Promise<PageContent | Redirection> {
  const { query, gate } = call;
  if (!gate.isForAllPartners) {
    const text =
      'Your rights cover some partners. An act that takes long opens the page of its operation on its own.';
    return { kind: 'page', title: 'Operations', body: <Note>{text}</Note> };
  }
  const state = STATES.find(([value]) => value === query.text('state'))?.[0] ?? null;
  const cursor = query.text('cursor');
  const { items: operations, nextCursor } = await gate.call('operations.list', {
    state: state ?? undefined,
    cursor: cursor ?? undefined,
  });
  const body = (
    <>
      <Section title="Filter">
        <FilterForm action={call.at('/operations')} submit="Filter">
          <SelectField name="state" label="State" any="Any" value={state} options={STATES} />
        </FilterForm>
      </Section>
      <OperationTable call={call} operations={operations} />
      <Pager
        first={cursor === null ? null : call.at('/operations', { state })}
        next={nextCursor === null ? null : call.at('/operations', { state, cursor: nextCursor })}
      />
    </>
  );
  return { kind: 'page', title: 'Operations', body };
}

function OperationTable({
  call,
  operations,
}: {
  readonly call: ScreenCall;
  readonly operations: Page<ListedOperation>['items'];
}) {
  return (
    <DataTable
      caption="Acts that the worker runs in steps, newest first"
      empty="There is no such operation. Acts on more than 10,000 rows run as operations, and so does publishing in steps."
      rows={operations}
      columns={[
        {
          header: 'Operation',
          cell: ({ id, plan }) => <a href={call.at(`/operations/${id}`)}>{operationName(plan)}</a>,
        },
        { header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
        { header: 'Progress', cell: (operation) => progressText(operation) },
        { header: 'Partner key', cell: ({ keyLabel }) => keyLabel ?? '–' },
        { header: 'Started by', cell: ({ startedBy }) => startedBy.name ?? startedBy.id },
        { header: 'Started', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { header: 'Ended', cell: ({ finishedAt }) => <Time at={finishedAt} /> },
      ]}
    />
  );
}
