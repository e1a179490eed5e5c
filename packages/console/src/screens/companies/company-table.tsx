import type { Company, CompanyId, Page } from '@partner-hiring/core';
import { sectionsOf } from '../../features/features.js';
import type { Gate } from '../../gate/gate.js';
import { listKeysInScope } from '../../gate/keys-in-scope.js';
import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { type Column, DataTable } from '../../view/data-table.js';
import { SelectField, TextField } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { MaybeLink, Section, Time } from '../../view/parts.js';
import { choosing } from '../parts/choose-rows.js';
import { type ExportedList, ExportForm, exportCsv } from '../parts/export-csv.js';
import type { LoadedOptions } from '../parts/filter-field.js';
import { moreText } from '../parts/key-field.js';

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

/** Enough for the choice of somebody for some partners. */
const MOST_OF_PARTNERS = 200;

/** Lists a page of companies. For an actor for some partners, lists those to which their keys have access. */
export async function listCompanies(gate: Gate, cursor: string | null): Promise<Page<Company>> {
  if (!gate.may('companies:read')) return { items: [], nextCursor: null };
  if (gate.isForAllPartners) {
    return gate.call('companies.list', cursor === null ? {} : { cursor });
  }
  return { items: await listOfPartners(gate), nextCursor: null };
}

/** Reads the names of companies to choose from. Somebody for some partners filters by their keys instead. */
export async function companyOptions({ gate }: ScreenCall): Promise<LoadedOptions> {
  if (!gate.isForAllPartners) return { options: [] };
  const { items: companies, nextCursor } = await listCompanies(gate, null);
  return {
    options: companies.map(({ id, name, environment }) => [id, `${name} (${environment})`]),
    hint: nextCursor === null ? undefined : moreText(companies.length, 'companies'),
  };
}

async function listOfPartners(gate: Gate): Promise<readonly Company[]> {
  if (!gate.may('access:read')) return [];
  const keys = await listKeysInScope(gate);
  const pages = await Promise.all(
    keys.map(({ key }) => gate.call('access.list', { keyId: key.id, limit: MOST_OF_PARTNERS })),
  );
  const ids = new Set(
    pages.flatMap(({ items: access }) => access.map(({ companyId }): CompanyId => companyId)),
  );
  const seen = [...ids].slice(0, MOST_OF_PARTNERS);
  const found = await Promise.all(seen.map((id) => gate.call('companies.find', { id })));
  // Null if access was revoked meanwhile.
  return found.flatMap((company) => company ?? []);
}

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
