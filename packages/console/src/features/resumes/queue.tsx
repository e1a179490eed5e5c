import type { ListedApplication, ResumeState } from '@partner-hiring/core';
import { LABELS } from '../../labels.js';
import { cursorOf, type ListDeclaration } from '../../screens/parts/define-list.js';
import { COUNTED, queueOf, toWaiting } from '../../screens/queues/queue.js';
import { ONLY_FOR_ALL, waitingColumns } from '../../screens/queues/waiting-applications.js';
import { Time } from '../../view/parts.js';

/** Undecided applications of all partners whose résumé failed, newest failure first. */
const FAILED_RESUMES: ListDeclaration<ListedApplication> = {
  title: 'Failed résumés',
  path: '/queues/resumes',
  fields: [],
  read: async (call, fields) => {
    if (!call.gate.isForAllPartners) return ONLY_FOR_ALL;
    const page = { onlyFailedResumes: true, cursor: cursorOf(fields) };
    return {
      ...(await call.gate.call('applications.list', page)),
      caption: 'Applications that wait for a decision and whose résumé failed, the newest failure first',
      empty: 'No application that waits for a decision has a résumé that failed.',
      columns: [
        ...waitingColumns(call),
        { header: LABELS.reason, cell: ({ resume }) => reasonOf(resume) },
        {
          header: 'Failed',
          cell: ({ resume }) => <Time at={resume.kind === 'failed' ? resume.failedAt : null} />,
        },
      ],
    };
  },
};

/** The queue of these applications. */
export const failedResumes = queueOf(FAILED_RESUMES, {
  label: 'Résumés that failed',
  right: 'applications:read',
  read: async (gate) =>
    toWaiting(await gate.call('applications.list', { onlyFailedResumes: true, ...COUNTED })),
});

function reasonOf(resume: ResumeState): string {
  return resume.kind === 'failed' ? resume.reason.replaceAll('_', ' ') : resume.kind;
}
