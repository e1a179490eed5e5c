import type { ApplicationRecord } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import type { Column } from '../../view/data-table.js';
import { shortId } from '../../view/ids.js';
import { MaybeLink, StateBadge, Time } from '../../view/parts.js';

/** A row with the names that belong to its ids. */
export interface ApplicationRow extends ApplicationRecord {
  readonly partnerName: string;
  readonly keyLabel?: string;
  readonly companyName: string;
  readonly jobTitle: string;
}

function candidateName({ candidate, erasedAt }: Pick<ApplicationRow, 'candidate' | 'erasedAt'>): string {
  return erasedAt === null ? `${candidate.firstName} ${candidate.lastName}` : 'erased';
}

/** The columns of a list of applications with masked candidates. */
export function applicationColumns(call: ScreenCall): readonly Column<ApplicationRow>[] {
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
    { header: 'Partner', cell: ({ keyLabel, partnerName }) => keyLabel ?? partnerName },
    { header: 'Source id', cell: ({ sourceApplicationId }) => sourceApplicationId ?? '–' },
    { header: 'Submitted', cell: ({ submittedAt }) => <Time at={submittedAt} /> },
  ];
}
