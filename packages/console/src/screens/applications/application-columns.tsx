import type { ListedApplication } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import type { Column } from '../../view/data-table.js';
import { shortId } from '../../view/ids.js';
import { MaybeLink, StateBadge, Time } from '../../view/parts.js';

/** The masked name of a candidate. */
export function candidateName({
  candidate,
  erasedAt,
}: Pick<ListedApplication, 'candidate' | 'erasedAt'>): string {
  return erasedAt === null ? `${candidate.firstName} ${candidate.lastName}` : 'erased';
}

/** The columns of a list of applications with masked candidates. */
export function applicationColumns(call: ScreenCall): readonly Column<ListedApplication>[] {
  return [
    {
      header: LABELS.one.candidate,
      cell: ({ id, candidate, erasedAt }) => (
        <>
          <a href={call.at(`/applications/${id}`)}>{candidateName({ candidate, erasedAt })}</a>{' '}
          <small title={id}>{shortId(id)}</small>
        </>
      ),
      exported: [
        { header: LABELS.one.candidate, cell: candidateName },
        { header: LABELS.one.application, cell: ({ id }) => id },
      ],
    },
    { header: LABELS.application.status, cell: ({ status }) => <StateBadge state={status} /> },
    {
      header: LABELS.one.job,
      cell: ({ jobId, jobTitle }) => <MaybeLink href={call.link('jobs', `/${jobId}`)}>{jobTitle}</MaybeLink>,
    },
    { header: LABELS.one.company, cell: ({ companyName }) => companyName },
    { header: LABELS.one.partner, cell: ({ keyLabel }) => keyLabel },
    {
      header: LABELS.application.sourceApplicationId,
      cell: ({ sourceApplicationId }) => sourceApplicationId ?? '–',
    },
    { header: LABELS.application.submittedAt, cell: ({ submittedAt }) => <Time at={submittedAt} /> },
  ];
}
