import {
  type Company,
  describeJob,
  type Job,
  type JobId,
  type JobVisibility,
  type Operation,
} from '@partner-hiring/core';
import { TimelineList, timelineEnd } from '../../features/timelines/timeline-list.js';
import type { PageContent, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { DataTable } from '../../view/data-table.js';
import { ActionButton } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { FactList, listFacts, MaybeLink, Section, StateBadge, Time } from '../../view/parts.js';
import { listFact, NamedLink } from '../parts/names.js';
import { jobOfPage, possibleJobActs } from './job-actions.js';

const ENTRIES = 100;

/** One job: what partners see of it, and what happened. */
export async function showJob(call: ScreenCall): Promise<PageContent> {
  const { gate } = call;
  const id = call.param('id') as JobId;
  const job = await jobOfPage(call);
  const company = gate.may('companies:read')
    ? await gate.call('companies.find', { id: job.companyId })
    : null;
  const run = await findRun(call, job);
  const timeline = gate.isForAllPartners
    ? await gate.call('timelines.find', { jobId: id, limit: ENTRIES, ...timelineEnd(call) })
    : null;
  const audit = call.link('audit', '', { kind: 'job', id });
  const body = (
    <>
      <div class="columns">
        <Section title={LABELS.one.job}>
          <FactList
            facts={[
              ...factsOf(call, job, company),
              ...sourceFacts(call, job, run),
              [LABELS.id, <Id value={id} />],
            ]}
          />
          <JobButtons call={call} job={job} />
        </Section>
        <Section title="Who sees it">
          <VisibilityTable call={call} rows={job.visibility} />
        </Section>
      </div>
      {timeline === null ? null : (
        <TimelineList call={call} timeline={timeline} empty="Nothing happened to this job in this time.">
          {audit === null ? null : <a href={audit}>Acts on this job in the audit</a>}
        </TimelineList>
      )}
    </>
  );
  return {
    kind: 'page',
    title: job.title,
    crumbs: [{ label: LABELS.all.jobsAndCompanies, href: call.at('/jobs') }],
    body,
  };
}

function factsOf(call: ScreenCall, job: Job, company: Company | null) {
  const { id, companyId, state, internalOnly } = job;
  return [
    ...listFacts(describeJob(job), {
      companyId: (
        <MaybeLink href={call.link('companies', `/${companyId}`)}>{company?.name ?? companyId}</MaybeLink>
      ),
      state: <StateBadge state={state} />,
      internalOnly: internalOnly ? <StateBadge state="internal only" tone="warn" /> : 'no',
    }),
    [LABELS.publishedAt, <Time at={job.createdAt} />],
    listFact(call, 'applications', { job: id }, 'Applications for this job'),
    [
      'Refused submissions',
      <MaybeLink href={call.link('requests', '', { job: id })}>Requests that were refused</MaybeLink>,
    ],
  ] as const;
}

/** Finds the last run of the job sync that changed the job. Null without the right, and after the run was deleted. */
async function findRun({ gate }: ScreenCall, { syncedIn }: Job): Promise<Operation | null> {
  if (syncedIn === null || !gate.isForAllPartners || !gate.may('operations:read')) return null;
  return gate.call('operations.find', { id: syncedIn });
}

/** The facts about the source that keeps the job in step. */
function sourceFacts(call: ScreenCall, { syncedIn }: Job, run: Operation | null) {
  if (syncedIn === null) return [];
  const href = run === null ? null : call.link('operations', `/${run.id}`);
  return [
    ['Kept in step', <MaybeLink href={call.link('job-sync', '')}>by the job source</MaybeLink>],
    [
      'Last run that changed it',
      run === null ? (
        <Id value={syncedIn} />
      ) : (
        <>
          <NamedLink href={href} name={null} id={syncedIn} /> <Time at={run.createdAt} />
        </>
      ),
    ],
  ] as const;
}

function JobButtons({ call, job }: { readonly call: ScreenCall; readonly job: Job }) {
  // A job is shared by all partners with access to its company, so only an actor for all partners may change it.
  if (!call.gate.isForAllPartners) return null;
  const acts = possibleJobActs(job).filter(({ right }) => call.gate.may(right));
  return (
    <div class="actions">
      {acts.map(({ path, label }) => (
        <ActionButton action={call.at(`/jobs/${job.id}/${path}`)} label={`${label}…`} tone="secondary" />
      ))}
    </div>
  );
}

function VisibilityTable({
  call,
  rows,
}: {
  readonly call: ScreenCall;
  readonly rows: readonly JobVisibility[];
}) {
  return (
    <DataTable
      caption="Keys that see the job, then keys that saw it"
      empty={
        call.gate.isForAllPartners
          ? 'No key ever saw this job. Grant a key access to its company.'
          : 'No key of your partners ever saw this job.'
      }
      rows={rows}
      columns={[
        {
          header: LABELS.one.partnerKey,
          cell: ({ keyId, keyLabel }) => (
            <MaybeLink href={call.link('keys', `/${keyId}`)}>{keyLabel}</MaybeLink>
          ),
        },
        {
          header: 'Sees it',
          cell: ({ isVisible }) => (
            <StateBadge state={isVisible ? 'yes' : 'no longer'} tone={isVisible ? 'good' : 'calm'} />
          ),
        },
        { header: 'Since', cell: ({ visibleSince }) => <Time at={visibleSince} /> },
        { header: 'Changed', cell: ({ changedAt }) => <Time at={changedAt} /> },
      ]}
    />
  );
}
