import type { Company } from '@partner-hiring/core';
import { sectionsOf } from '../../features/features.js';
import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { type Column, DataTable } from '../../view/data-table.js';
import { SelectField, TextField } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { MaybeLink, Section, Time } from '../../view/parts.js';
import { choosing } from '../parts/choose-rows.js';
import { type ExportedList, ExportForm, exportCsv } from '../parts/export-csv.js';
import { listCompanies } from '../parts/list-companies.js';

interface CompanyTableProps {
  readonly call: ScreenCall;
  readonly companies: readonly Company[];
}

/** A table of companies with links to their jobs. */
export async function CompanyTable({ call, companies }: CompanyTableProps) {
  const sections = await sectionsOf('companies', { call });
  const { columns, around } = choosing(sections, columnsOf(call), ({ id, name }) => [id, name]);
  return (
    <>
      {around(
        <DataTable
          caption="Companies, oldest first"
          empty="There is no company yet. Companies publish the jobs that partners see."
          rows={companies}
          columns={columns}
        />,
      )}
      {companies.length === 0 ? null : <ExportForm call={call} path={COMPANIES.path} />}
    </>
  );
}

function columnsOf(call: ScreenCall): readonly Column<Company>[] {
  return [
    {
      header: LABELS.one.company,
      cell: ({ id, name }) => <MaybeLink href={call.link('companies', `/${id}`)}>{name}</MaybeLink>,
    },
    { header: LABELS.id, cell: ({ id }) => <Id value={id} /> },
    { header: LABELS.environment, cell: ({ environment }) => environment },
    {
      header: LABELS.all.jobs,
      cell: ({ id }) => <MaybeLink href={call.link('jobs', '', { company: id })}>Jobs</MaybeLink>,
      isScreenOnly: true,
    },
    { header: LABELS.addedAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}

const COMPANIES: ExportedList<Company> = {
  title: LABELS.all.companies,
  path: '/companies',
  fields: [],
  read: async (call, fields) => ({
    ...(await listCompanies(call.gate, fields.text('cursor'))),
    columns: columnsOf(call),
  }),
};

/** Exports the companies that the screen of the jobs shows. */
export const exportCompanies = exportCsv(COMPANIES);

/** The form that adds a company, if the actor may. */
export function RegisterCompanyCard({ call }: { readonly call: ScreenCall }) {
  if (!call.gate.isForAllPartners || !call.gate.may('companies:create')) return null;
  return (
    <Section title="Add a company">
      <form method="post" action={call.at('/companies')}>
        <div class="fields">
          <TextField name="name" label={LABELS.name} isRequired />
          <SelectField
            name="environment"
            label={LABELS.environment}
            options={[
              ['production', 'Production'],
              ['sandbox', 'Sandbox'],
            ]}
          />
        </div>
        <p class="buttons">
          <button type="submit">Add</button>
        </p>
      </form>
    </Section>
  );
}
