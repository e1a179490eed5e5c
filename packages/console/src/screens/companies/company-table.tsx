import type { Company } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { DataTable } from '../../view/data-table.js';
import { MaybeLink, Time } from '../../view/parts.js';

/** A table of companies with links to their jobs. */
export function CompanyTable({
  call,
  companies,
}: {
  readonly call: ScreenCall;
  readonly companies: readonly Company[];
}) {
  return (
    <DataTable
      caption="Companies, oldest first"
      empty="There is no company yet. Companies publish the jobs that partners see."
      rows={companies}
      columns={[
        {
          header: 'Company',
          cell: ({ id, name }) => <MaybeLink href={call.link('companies', `/${id}`)}>{name}</MaybeLink>,
        },
        { header: 'Id', cell: ({ id }) => <code>{id}</code> },
        { header: 'Environment', cell: ({ environment }) => environment },
        {
          header: 'Jobs',
          cell: ({ id }) => <MaybeLink href={call.link('jobs', '', { company: id })}>Jobs</MaybeLink>,
        },
        { header: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}
