import type { LastJobSync, MissingJobs, Operation, RefusedRow } from '@partner-hiring/core';
import {
  type LiveValues,
  type PageContent,
  pageBelow,
  type Screen,
  type ScreenCall,
} from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { ListPager } from '../../screens/parts/define-list.js';
import { objectFact } from '../../screens/parts/names.js';
import { DataTable } from '../../view/data-table.js';
import { countText, durationText, FactList, Section, StateBadge, Time } from '../../view/parts.js';
import { Prose } from '../../view/prose.js';
import { syncActions } from './actions.js';
import { heldByCompany } from './held-by-company.js';
import { HELD_PATH, showHeldJobs } from './held-jobs.js';
import { liveCounts, RunFigures, SyncVerdict } from './section.js';
import { missingRule, rowsRead, SYNC_PATH } from './texts.js';

const ROWS_PER_PAGE = 25;

async function showSync(call: ScreenCall): Promise<PageContent> {
  const last = await call.gate.call('jobs.syncs.last', {});
  const { operation, refused } = last;
  const isRunning = operation?.state === 'running';
  const body = (
    <div data-live-source={isRunning ? call.at(`${SYNC_PATH}/live`) : undefined}>
      <SyncVerdict call={call} last={last}>
        {isRunning ? <Progress operation={operation} /> : null}
        {last.heldJobs === 0 ? null : <p>{`${await heldByCompany(call.gate)}.`}</p>}
      </SyncVerdict>
      {operation === null ? null : (
        <>
          <Section title="Last run">
            <RunFigures operation={operation} />
            <FactList facts={factsOf(call, last, operation)} />
          </Section>
          <Section title="Refused rows">
            <RefusedRows call={call} operation={operation} refused={refused} />
          </Section>
        </>
      )}
    </div>
  );
  return pageBelow({ label: LABELS.all.jobsAndCompanies, href: call.link('jobs', '') }, 'Job sync', body);
}

/** The number of rows is unknown until the source ends. */
function Progress({ operation }: { readonly operation: Operation }) {
  return (
    <p class="progress">
      <progress aria-label={LABELS.progress} />
      <span data-live="progress">{progressText(operation)}</span>
    </p>
  );
}

function progressText({ sync }: Operation): string {
  const rows = sync === null ? 0 : rowsRead(sync);
  return `${countText(rows)} ${rows === 1 ? 'row' : 'rows'} saved so far`;
}

const MISSING_TEXTS: Readonly<Record<MissingJobs, string>> = {
  close: 'close',
  archive: 'archive',
  keep: 'leave open',
};

function factsOf(call: ScreenCall, last: LastJobSync, operation: Operation) {
  const { dueAt, applyUpTo } = last;
  const { id, state, createdAt, updatedAt, finishedAt, startedBy } = operation;
  const isRunning = state === 'running';
  return [
    [LABELS.state, <StateBadge state={state} />],
    [LABELS.startedAt, <Time at={createdAt} />],
    [LABELS.endedAt, isRunning ? 'not yet' : <Time at={finishedAt} />],
    [isRunning ? 'Running for' : LABELS.took, durationText((finishedAt ?? updatedAt) - createdAt)],
    ['Rule for missing jobs', MISSING_TEXTS[missingRule(operation)]],
    ['Next run', nextText(dueAt, isRunning)],
    last.heldJobs === 0
      ? null
      : ([
          'Missing jobs that stay open',
          <a href={call.at(HELD_PATH)}>{countText(last.heldJobs)}</a>,
        ] as const),
    applyUpTo === null ? null : (['The next run may close', `${countText(applyUpTo)} jobs, once`] as const),
    [LABELS.startedBy, startedBy.id.startsWith('system:') ? 'a worker' : (startedBy.name ?? startedBy.id)],
    objectFact(call, LABELS.one.operation, 'operations', id, null),
  ] as const;
}

function nextText(dueAt: number | null, isRunning: boolean) {
  if (dueAt === null) return 'when your program or the command line starts one';
  if (isRunning) return 'after this one';
  return dueAt <= Date.now() ? 'due: a worker begins it now' : <Time at={dueAt} />;
}

interface RefusedRowsProps {
  readonly call: ScreenCall;
  readonly operation: Operation;
  readonly refused: readonly RefusedRow[];
}

function RefusedRows({ call, operation: { id, sync }, refused }: RefusedRowsProps) {
  const start = startOf(call, id, refused.length);
  const end = Math.min(start + ROWS_PER_PAGE, refused.length);
  return (
    <>
      <DataTable
        caption={`Refused rows in the order of the source: ${countText(start + 1)} to ${countText(end)} of ${ofText(sync?.refused ?? 0, refused.length)}`}
        empty="This run has refused no row."
        rows={refused.slice(start, end)}
        columns={[
          { header: LABELS.id, cell: ({ id }) => (id === null ? 'without an id' : <code>{id}</code>) },
          { header: 'Code', cell: ({ code }) => <code>{code}</code> },
          { header: 'Message', cell: ({ message }) => <Prose text={message} /> },
        ]}
      />
      <ListPager
        call={call}
        path={SYNC_PATH}
        kept={{ run: id }}
        name="from"
        next={end < refused.length ? String(end) : null}
      />
    </>
  );
}

function ofText(all: number, kept: number): string {
  return all > kept ? `the first ${countText(kept)}, ${countText(all)} in all` : countText(all);
}

/** The position of the first row to show. A link of an earlier run shows the start of the last run. */
function startOf({ query }: ScreenCall, run: string, count: number): number {
  const from = Number(query.text('from') ?? 0);
  const isPosition = Number.isSafeInteger(from) && from > 0 && from < count;
  return isPosition && query.text('run') === run ? from : 0;
}

async function readLive({ gate }: ScreenCall): Promise<LiveValues> {
  const { operation } = await gate.call('jobs.syncs.last', { refusedLimit: 0 });
  if (operation === null) return { kind: 'live', values: {} };
  const progress = operation.state === 'running' ? progressText(operation) : `The run is ${operation.state}.`;
  return { kind: 'live', values: { ...liveCounts(operation), progress } };
}

/** The last run that brought the jobs in step with their source. */
export const jobSyncScreen: Screen = {
  name: 'job-sync',
  label: null,
  path: SYNC_PATH,
  within: '/jobs',
  rights: ['jobs:read'],
  pages: { [SYNC_PATH]: showSync, [`${SYNC_PATH}/live`]: readLive, [HELD_PATH]: showHeldJobs },
  actions: syncActions,
};
