import type { CompanyId, Operation, OperationId, OperationPlan } from '@partner-hiring/core';
import { mustFind } from '../../gate/refusals.js';
import { defineNotices } from '../../http/notices.js';
import { type LiveValues, type PageContent, pageBelow, type ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { actorName, fieldName } from '../../screens/parts/act-words.js';
import { change, defineAct } from '../../screens/parts/define-act.js';
import { listFact, nameOf, objectFact } from '../../screens/parts/names.js';
import { selectionFacts } from '../../screens/parts/resend-selection.js';
import { DataTable } from '../../view/data-table.js';
import { ActionButton } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import {
  countText,
  FactList,
  type FactRow,
  MaybeLink,
  Note,
  Section,
  StateBadge,
  Time,
} from '../../view/parts.js';
import { liveCounts, RunFigures } from '../jobs-sync/section.js';
import { operationName, percentOf, progressText } from './texts.js';

function find({ gate, param }: ScreenCall): Promise<Operation> {
  return mustFind(gate.call('operations.find', { id: param('id') as OperationId }));
}

/** One operation with its progress, which the script refreshes. */
export async function showOperation(call: ScreenCall): Promise<PageContent> {
  const operation = await find(call);
  const { id, plan, state, counts, failed, lastError } = operation;
  const isRunning = state === 'running';
  const body = (
    <div data-live-source={isRunning ? call.at(`/operations/${id}/live`) : undefined}>
      <Section title={LABELS.progress}>
        <p class="progress">
          <progress
            value={percentOf(operation) ?? undefined}
            max={100}
            data-live="percent"
            aria-label={LABELS.progress}
          />
          <span data-live="progress">{progressText(operation)}</span>
        </p>
        <FactList
          facts={[
            [LABELS.state, <StateBadge state={state} />],
            ['Done', <span data-live="done">{countText(counts.done)}</span>],
            failed === null
              ? null
              : ['Not changed', <span data-live="failed">{countText(failed.count)}</span>],
            [LABELS.leftOut, <span data-live="skipped">{countText(counts.skipped)}</span>],
            ['All', counts.total === null ? 'unknown until the end' : countText(counts.total)],
            ['Last step', <Time at={operation.updatedAt} />],
            lastError === null ? null : [state === 'held' ? 'Why it was held' : LABELS.lastError, lastError],
          ]}
        />
        {isRunning ? (
          <Note>You may close this page: the worker goes on. Reload the page to see the present state.</Note>
        ) : null}
        {isRunning && mayStop(call, plan) ? (
          <ActionButton action={call.at(`/operations/${id}/stop`)} label="Stop…" tone="danger" />
        ) : null}
      </Section>
      {operation.sync === null ? null : (
        <Section title="Results">
          <RunFigures operation={operation} />
          <p>
            <MaybeLink href={call.link('job-sync', '')}>The last run of the job sync</MaybeLink>
          </p>
        </Section>
      )}
      {failed === null || failed.count === 0 ? null : (
        <Section title="Not changed">
          <DataTable
            caption={`Rows that could not be changed: the first ${failed.first.length} of ${countText(failed.count)}`}
            empty=""
            rows={failed.first}
            columns={[
              {
                header: 'What',
                cell: ({ object: { kind, id: of } }) => (
                  <MaybeLink href={call.link(`${kind}s`, `/${of}`)}>{of}</MaybeLink>
                ),
              },
              { header: 'Why', cell: ({ message }) => message, isWide: true },
            ]}
          />
        </Section>
      )}
      <Section title={LABELS.one.operation}>
        <FactList facts={await factsOf(call, operation)} />
      </Section>
    </div>
  );
  return pageBelow({ label: LABELS.all.operations, href: call.at('/operations') }, operationName(plan), body);
}

function mayStop({ gate }: ScreenCall, plan: OperationPlan): boolean {
  return gate.may('operations:stop') && (plan.kind !== 'erase' || gate.may('candidates:erase'));
}

/** The values that the script refreshes. */
export async function readOperation(call: ScreenCall): Promise<LiveValues> {
  const operation = await find(call);
  const percent = percentOf(operation);
  return {
    kind: 'live',
    values: {
      progress:
        operation.state === 'running'
          ? progressText(operation)
          : `${progressText(operation)}, ${operation.state}`,
      done: countText(operation.counts.done),
      skipped: countText(operation.counts.skipped),
      failed: operation.failed === null ? undefined : countText(operation.failed.count),
      percent: percent === null ? undefined : String(percent),
      ...liveCounts(operation),
    },
  };
}

async function factsOf(
  call: ScreenCall,
  { id, plan, startedBy, createdAt, finishedAt }: Operation,
): Promise<readonly FactRow[]> {
  return [
    ...(await planFacts(call, plan)),
    [LABELS.startedBy, actorName({ actor: startedBy })],
    startedBy.reason === undefined ? null : [LABELS.reason, startedBy.reason],
    [LABELS.startedAt, <Time at={createdAt} />],
    [LABELS.endedAt, <Time at={finishedAt} />],
    listFact(call, 'audit', { kind: 'operation', id }, 'Acts of this operation'),
    [LABELS.id, <Id value={id} />],
  ];
}

async function planFacts(call: ScreenCall, plan: OperationPlan): Promise<readonly FactRow[]> {
  const company = (id: CompanyId) => nameOf.company(call.gate, id);
  if (plan.kind === 'publish_jobs') return [];
  if (plan.kind === 'bulk')
    return Object.entries(plan.filter).map(([name, value]) => [fieldName(name), String(value)] as const);
  if (plan.kind === 'sync_jobs') return [['Missing jobs', plan.missing]];
  if (plan.kind === 'close_jobs')
    return [[LABELS.one.company, (await company(plan.companyId)) ?? <Id value={plan.companyId} />]];
  if (plan.kind === 'erase') {
    return [
      [
        LABELS.one.company,
        plan.companyId == null
          ? 'all companies'
          : ((await company(plan.companyId)) ?? <Id value={plan.companyId} />),
      ],
      ['Last change before', <Time at={plan.changedBefore} />],
    ];
  }
  if (plan.kind === 'resend_partner') {
    const partner = await nameOf.partner(call.gate, plan.partnerId);
    return [
      objectFact(call, LABELS.one.partner, 'partners', plan.partnerId, partner),
      [LABELS.all.keys, countText(plan.keyIds.length)],
      ...selectionFacts(plan),
    ];
  }
  const label = await nameOf.key(call.gate, plan.keyId);
  const key = objectFact(call, LABELS.one.partnerKey, 'keys', plan.keyId, label);
  return plan.kind === 'resend' ? [key, ...selectionFacts(plan)] : [key];
}

/** The sentences that follow a stop. */
export const operationNotices = defineNotices({
  done: {
    'operation-ended': 'The operation has ended already.',
    'operation-stopped': 'The operation is stopped.',
  },
});

const { done } = operationNotices;

/** Stops an operation, after a confirmation. */
export const stopOperation = defineAct<Operation>({
  find: async (call) => {
    const operation = await find(call);
    if (operation.plan.kind === 'erase') call.gate.require('candidates:erase');
    return operation;
  },
  ask: (operation) => ({
    title: 'Stop this operation?',
    text: 'It stops before its next step. The steps that are done remain. A stopped operation cannot go on: start it again instead.',
    facts: [
      [LABELS.one.operation, operationName(operation.plan)],
      [LABELS.progress, progressText(operation)],
    ],
    confirm: 'Stop the operation',
    isFinal: true,
  }),
  run: change('operations.stop', ({ id }) => ({ id }), done('operation-stopped'), done('operation-ended')),
});
