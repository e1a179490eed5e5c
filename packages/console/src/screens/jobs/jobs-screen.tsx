import type { Company, CompanyId, ListedJob, Page } from '@partner-hiring/core';
import { sectionsOf } from '../../features/features.js';
import type { PageContent, Redirection, Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { type Column, DataTable } from '../../view/data-table.js';
import { FilterForm, IdField, SelectField } from '../../view/forms.js';
import { countText, StateBadge, Time } from '../../view/parts.js';
import { CompanyTable, RegisterCompanyCard } from '../companies/company-table.js';
import { choiceOf, choicesOf } from '../parts/choices.js';
import { cursorOf, ListPager } from '../parts/define-list.js';
import { type ExportedList, ExportForm, exportCsv } from '../parts/export-csv.js';
import { listCompanies } from '../parts/list-companies.js';
import { CHOSEN_JOBS, ChooseJobsForm, chosenJobActions, mayChooseJobs } from './choose-jobs.js';
import { CLOSE_ALL_PATH, closeAllJobs } from './close-all-act.js';
import { jobActions, possibleJobActs } from './job-actions.js';
import { showJob } from './job-page.js';

async function showJobs(call: ScreenCall): Promise<PageContent | Redirection> {
  const { query, gate } = call;
  const job = query.text('job');
  if (job !== null) return { kind: 'redirect', to: call.at(`/jobs/${encodeURIComponent(job)}`) };
  const companyId = query.text('company') as CompanyId | null;
  const cursor = query.text('cursor');
  const { items: companies, nextCursor } = await listCompanies(gate, companyId === null ? cursor : null);
  const shown = companyId === null ? await sectionsOf('jobs', { call }) : [];
  const body = (
    <>
      <FilterForm
        action={call.at('/jobs')}
        submit="Show jobs"
        isChosen={companyId !== null}
        rules={[{ these: ['state'], need: ['company'], text: 'A state needs a company.' }]}
      >
        <CompanyField
          companies={companies}
          companyId={companyId}
          isCut={cursor !== null || nextCursor !== null}
        />
        <SelectField
          name="state"
          label={LABELS.state}
          any="Any"
          value={query.text('state')}
          options={choicesOf('jobs.list', 'state')}
        />
        <IdField of="job" name="job" label="Job id" hint="Opens the job. Ignores the other fields." />
      </FilterForm>
      {companyId === null ? (
        <>
          {shown.map(({ top }) => top)}
          <CompanyTable call={call} companies={companies} />
          <ListPager call={call} path="/jobs" next={nextCursor} />
          <RegisterCompanyCard call={call} />
        </>
      ) : (
        <JobList call={call} companyId={companyId} />
      )}
    </>
  );
  return { kind: 'page', title: LABELS.all.jobsAndCompanies, body };
}

interface CompanyFieldProps {
  readonly companies: readonly Company[];
  readonly companyId: string | null;
  /** Whether there are companies before or after these. */
  readonly isCut: boolean;
}

function CompanyField({ companies, companyId, isCut }: CompanyFieldProps) {
  const isListed = companyId === null || companies.some(({ id }) => id === companyId);
  if (companies.length === 0 || !isListed)
    return <IdField of="company" name="company" label={LABELS.companyId} value={companyId} />;
  const options = companies.map(({ id, name, environment }) => [id, `${name} (${environment})`] as const);
  return (
    <SelectField
      name="company"
      label={LABELS.one.company}
      any="All companies"
      value={companyId}
      options={options}
      hint={isCut ? MORE_COMPANIES : undefined}
    />
  );
}

const MORE_COMPANIES =
  'Only one page of the companies. To choose another one, turn the page of the table, or find it with the search at the top.';

async function JobList({ call, companyId }: { readonly call: ScreenCall; readonly companyId: CompanyId }) {
  const { query, gate } = call;
  const state = choiceOf('jobs.list', 'state', query.text('state'));
  const filter = { companyId, state };
  const [{ items: jobs, nextCursor }, count] = await Promise.all([
    gate.call('jobs.list', { ...filter, cursor: cursorOf(query) }),
    gate.call('jobs.count', filter),
  ]);
  const isChoice = jobs.length > 0 && mayChooseJobs(call);
  const table = <JobTable call={call} jobs={jobs} count={count} isChoice={isChoice} />;
  return (
    <>
      {isChoice ? (
        <ChooseJobsForm call={call} companyId={companyId} state={state}>
          {table}
        </ChooseJobsForm>
      ) : (
        table
      )}
      <ListPager
        call={call}
        path="/jobs"
        kept={{ company: companyId, state: state ?? null }}
        next={nextCursor}
      />
      {jobs.length === 0 ? null : (
        <ExportForm
          call={call}
          path={JOBS.path}
          fields={[['company', companyId], ...(state === undefined ? [] : [['state', state] as const])]}
        />
      )}
    </>
  );
}

interface JobTableProps {
  readonly call: ScreenCall;
  readonly jobs: Page<ListedJob>['items'];
  readonly count: number;
  readonly isChoice: boolean;
}

function JobTable({ call, jobs, count, isChoice }: JobTableProps) {
  return (
    <DataTable
      caption={`Jobs of the company, oldest first: ${countText(count)}`}
      empty="This company has no such job."
      rows={jobs}
      columns={isChoice ? [CHOSEN_JOBS, ...columnsOf(call)] : columnsOf(call)}
      acts={(job) => possibleJobActs(call, job)}
    />
  );
}

function columnsOf(call: ScreenCall): readonly Column<ListedJob>[] {
  return [
    { header: LABELS.one.job, cell: ({ id, title }) => <a href={call.at(`/jobs/${id}`)}>{title}</a> },
    {
      header: LABELS.state,
      cell: ({ state, internalOnly }) => (
        <>
          <StateBadge state={state} />
          {internalOnly ? <StateBadge state="internal only" tone="warn" /> : null}
        </>
      ),
    },
    {
      header: LABELS.job.location,
      cell: ({ location: { city, state, country } }) =>
        [city, state, country].filter((one) => one !== '').join(', '),
    },
    { header: LABELS.one.company, cell: ({ companyName }) => companyName },
    { header: LABELS.publishedAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}

const JOBS: ExportedList<ListedJob> = {
  title: LABELS.all.jobs,
  path: '/jobs',
  fields: [
    { name: 'company', kind: { idOf: 'company' } },
    { name: 'state', kind: 'choice' },
  ],
  read: async (call, fields) => {
    const companyId = fields.text('company') as CompanyId | null;
    if (companyId === null) return { problem: 'Choose a company, then export its jobs.' };
    const state = choiceOf('jobs.list', 'state', fields.text('state'));
    const page = await call.gate.call('jobs.list', { companyId, state, cursor: cursorOf(fields) });
    return { ...page, columns: columnsOf(call) };
  },
};

/** The companies and their jobs, and one job. */
export const jobsScreen: Screen = {
  name: 'jobs',
  label: LABELS.all.jobsAndCompanies,
  path: '/jobs',
  rights: ['jobs:read', 'companies:read'],
  pages: { '/jobs': Object.assign(showJobs, { csv: exportCsv(JOBS) }), '/jobs/:id': showJob },
  actions: { ...jobActions, ...chosenJobActions, [CLOSE_ALL_PATH]: closeAllJobs },
};
