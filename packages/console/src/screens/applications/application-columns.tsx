import type { ListedApplication } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import type { Column } from '../../view/data-table.js';
import { shortId } from '../../view/ids.js';
import { MaybeLink, StateBadge, Time } from '../../view/parts.js';

function candidateName({ candidate, erasedAt }: Pick<ListedApplication, 'candidate' | 'erasedAt'>): string {
  return erasedAt === null ? `${candidate.firstName} ${candidate.lastName}` : 'erased';
}

/** The columns of a list of applications with masked candidates. */
export function applicationColumns(call: ScreenCall): readonly Column<ListedApplication>[] {
  return [
    {
      header: 'Candidate',
      cell: ({ id, candidate, erasedAt }) => (
        <>
          <a href={call.at(`/applications/${id}`)}>{candidateName({ candidate, erasedAt })}</a>{' '}
          <small title={id}>{shortId(id)}</small>
        </>
      ),
      exported: [
        { header: 'Candidate', cell: candidateName },
        { header: 'Application', cell: ({ id }) => id },
      ],
    },
    { header: 'Status', cell: ({ status }) => <StateBadge state={status} /> },
    {
      header: 'Job',
      cell: ({ jobId, jobTitle }) => <MaybeLink href={call.link('jobs', `/${jobId}`)}>{jobTitle}</MaybeLink>,
    },
    { header: 'Company', cell: ({ companyName }) => companyName },
    { header: 'Partner', cell: ({ keyLabel }) => keyLabel },
    { header: 'Source id', cell: ({ sourceApplicationId }) => sourceApplicationId ?? '–' },
    { header: 'Submitted', cell: ({ submittedAt }) => <Time at={submittedAt} /> },
  ];
}
