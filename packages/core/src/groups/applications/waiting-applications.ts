import {
  type ApplicationRecord,
  type ApplicationStatus,
  UNDECIDED_STATUSES,
  type UndecidedStatus,
} from '../../domain/application.js';
import type { Instant } from '../../domain/time.js';
import { InputProblem } from '../../operator/command/input.js';
import { definePageCursors, type Page, type PageOptions, readPage } from '../../operator/page-cursor.js';
import type { FailedResumePosition, UnchangedPosition } from '../../ports/repositories/applications.js';
import type { Repositories } from '../../ports/storage.js';

type Read = Pick<Repositories, 'applications'>;

/** Returns the status of a list of unchanged applications. @throws InputProblem if it is a decision. */
export function undecidedStatus(status: ApplicationStatus | undefined): UndecidedStatus | null {
  if ((status ?? undefined) === undefined) return null;
  const known = UNDECIDED_STATUSES.find((each) => each === status);
  if (known !== undefined) return known;
  throw new InputProblem(
    `status must be ${UNDECIDED_STATUSES.join(' or ')} with \`unchangedSince\`: a decided application waits for nobody`,
  );
}

const UNCHANGED_CURSORS = definePageCursors<UnchangedPosition>('unchanged applications', {
  changedAt: 'number',
  id: 'id',
});

/** A cursor is not bound to `before`, because "unchanged for 14 days" has moved when the next page is read. */
export function readUnchanged(
  { applications }: Read,
  { status, before }: { readonly status: UndecidedStatus | null; readonly before: Instant },
  page: PageOptions,
): Promise<Page<ApplicationRecord>> {
  return readPage(UNCHANGED_CURSORS, [status], page, (start) =>
    applications.listUnchanged({ status, before, ...start }),
  );
}

const FAILED_CURSORS = definePageCursors<FailedResumePosition>('failed résumés', {
  failedAt: 'number',
  id: 'id',
});

export async function readFailedResumes(
  { applications }: Read,
  page: PageOptions,
): Promise<Page<ApplicationRecord>> {
  const { items, nextCursor } = await readPage(FAILED_CURSORS, [], page, async (start) => {
    const found = await applications.listFailedResumes(start);
    return found.map((application) => ({
      application,
      id: application.id,
      failedAt: application.resume.kind === 'failed' ? application.resume.failedAt : 0,
    }));
  });
  return { items: items.map(({ application }) => application), nextCursor };
}
