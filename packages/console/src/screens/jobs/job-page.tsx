import { type Company, describeJob, type Job, type JobId, type JobVisibility } from '@partner-hiring/core';
import { sectionsOf } from '../../features/features.js';
import { type PageContent, pageBelow, type ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { DataTable } from '../../view/data-table.js';
import { ActionButton } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { FactList, listFacts, MaybeLink, Section, StateBadge, Time } from '../../view/parts.js';
import { labelOf } from '../parts/choices.js';
import { listFact } from '../parts/names.js';
import { jobOfPage, possibleJobActs } from './job-actions.js';

/** One job: what partners see of it, and what happened. */
export async function showJob(call: ScreenCall): Promise<PageContent> {
  const { gate } = call;
  const id = call.param('id') as JobId;
  const job = await jobOfPage(call);
  const company = gate.may('companies:read')
    ? await gate.call('companies.find', { id: job.companyId })
    : null;
  const shown = await sectionsOf('job', { call, job });
  const body = (
    <>
      <div class="columns">
        <Section title={LABELS.one.job}>
          <FactList
            facts={[
              ...factsOf(call, job, company),
              ...shown.flatMap(({ facts = [] }) => facts),
              [LABELS.id, <Id value={id} />],
            ]}
          />
          <JobButtons call={call} job={job} />
        </Section>
        <Section title="Who sees it">
          <VisibilityTable call={call} rows={job.visibility} />
        </Section>
      </div>
      {shown.map(({ end }) => end)}
    </>
  );
  return pageBelow({ label: LABELS.all.jobsAndCompanies, href: call.at('/jobs') }, job.title, body);
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

function JobButtons({ call, job }: { readonly call: ScreenCall; readonly job: Job }) {
  return (
    <div class="actions">
      {possibleJobActs(call, job).map((act) => (
        <ActionButton {...act} />
      ))}
    </div>
  );
}

interface VisibilityTableProps {
  readonly call: ScreenCall;
  readonly rows: readonly JobVisibility[];
}

function VisibilityTable({ call, rows }: VisibilityTableProps) {
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
          cell: ({ isVisible, reason }) => (
            <>
              <StateBadge state={isVisible ? 'yes' : 'no longer'} tone={isVisible ? 'good' : 'calm'} />
              {reason === null ? null : ` ${labelOf(reason)}`}
            </>
          ),
        },
        { header: 'Shown from', cell: ({ visibleSince }) => <Time at={visibleSince} /> },
        {
          header: 'Shown to',
          cell: ({ visibleUntil }) => (visibleUntil === null ? 'now' : <Time at={visibleUntil} />),
        },
      ]}
    />
  );
}
