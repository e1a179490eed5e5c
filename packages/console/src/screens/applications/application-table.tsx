import type { ApplicationRecord } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { DataTable } from '../../view/data-table.js';
import { MaybeLink, StateBadge, Time } from '../../view/parts.js';

/** A row with the names that belong to its ids. */
export interface ApplicationRow extends ApplicationRecord {
  readonly partnerName: string;
  readonly keyLabel?: string;
  readonly companyName: string;
  readonly jobTitle: string;
}

/** A table of applications with masked candidates. */
export function ApplicationTable({
  call,
  caption,
  rows,
  empty,
}: {
  readonly call: ScreenCall;
  readonly caption: string;
  readonly rows: readonly ApplicationRow[];
  readonly empty: string;
}) {
  return (
    <DataTable
      caption={caption}
      empty={empty}
      rows={rows}
      columns={[
        {
          header: 'Candidate',
          cell: ({ id, candidate, erasedAt }) => (
            <a href={call.at(`/applications/${id}`)}>
              {erasedAt === null ? `${candidate.firstName} ${candidate.lastName}` : 'erased'}
            </a>
          ),
        },
        { header: 'Status', cell: ({ status }) => <StateBadge state={status} /> },
        {
          header: 'Job',
          cell: ({ jobId, jobTitle }) => (
            <MaybeLink href={call.link('jobs', `/${jobId}`)}>{jobTitle}</MaybeLink>
          ),
        },
        { header: 'Company', cell: ({ companyName }) => companyName },
        { header: 'Partner', cell: ({ keyLabel, partnerName }) => keyLabel ?? partnerName },
        { header: 'Source id', cell: ({ sourceApplicationId }) => sourceApplicationId ?? '–' },
        { header: 'Submitted', cell: ({ submittedAt }) => <Time at={submittedAt} /> },
      ]}
    />
  );
}
