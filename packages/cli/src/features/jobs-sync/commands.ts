import { highPayText, type LastJobSync } from '@partner-hiring/core';
import type { Report } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { moment } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';
import { heldText, operationCounts, paragraphs, refusedText } from './sync-report.js';

/** The command `jobs last-sync`. */
export const lastSync = libraryCommand('jobs.syncs.last', reportOf);

/** The command `jobs sync-soon`. */
export const syncSoon = libraryCommand('jobs.syncs.request', ({ changed }, { applyHeld }) => {
  if (applyHeld === undefined)
    return changed ? 'A worker begins a sync now.' : 'Unchanged: a sync is already due.';
  return changed
    ? 'Allowed once: the next sync may close as many missing jobs. A worker with the option `jobs` begins it now. Otherwise, run your sync again.'
    : 'Unchanged: the next sync may already close them.';
});

function reportOf(last: LastJobSync): Report {
  const { operation, dueAt, applyUpTo, refused } = last;
  const next =
    dueAt === null
      ? 'No worker has a source of jobs.'
      : `A worker begins the next sync at ${moment(dueAt)}, or after the one under way.`;
  if (operation === null) return { text: paragraphs('No sync has run.', next), value: last };
  const { id, state, sync, createdAt, finishedAt, lastError } = operation;
  const ended = finishedAt === null ? '' : `, ended ${moment(finishedAt)}`;
  const error = lastError === null ? '' : `Last error: ${terminalText(lastError)}`;
  const text = paragraphs(
    `${id} is ${state}: ${operationCounts(operation)}.\nBegan ${moment(createdAt)}${ended}.`,
    state === 'held' ? heldText(lastError, id) : error,
    applyUpTo === null ? '' : `The next sync may close up to ${applyUpTo} missing jobs.`,
    highPayText(sync),
    refusedText(refused, sync?.refused ?? refused.length),
    next,
  );
  return { text, value: last, isBadNews: state === 'held' || state === 'failed' };
}
