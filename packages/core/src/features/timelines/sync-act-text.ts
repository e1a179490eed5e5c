import { type AuditFields, SYSTEM_PREFIX } from '../../domain/audit.js';
import type { ListedAuditEntry } from '../audit/audit-entries.js';

/** Describes an act of the job sync. Null for other acts. */
export function syncActText(act: ListedAuditEntry, who: string): string | null {
  switch (act.act) {
    case 'jobs.syncs.run':
      return runText(act, act.actor.id.startsWith(SYSTEM_PREFIX) ? 'The worker' : who);
    case 'jobs.syncs.request':
      return act.after === null
        ? `${who} asked the worker to begin the next job sync.`
        : `${who} allowed the next job sync to close up to ${numberIn(act.after, 'applyUpTo')} missing jobs.`;
    case 'jobs.setVisibility':
      return turnedText(act);
    default:
      return null;
  }
}

/** A person also hides and shows jobs, but not in an operation. */
function turnedText({ objects, count, after }: ListedAuditEntry): string | null {
  const run = objects.find(({ kind }) => kind === 'operation');
  if (run === undefined) return null;
  const state = after?.internalOnly === true ? 'internal-only, so no partner sees them anymore' : 'public';
  return `A sync with the job source made ${count} ${count === 1 ? 'job' : 'jobs'} ${state} (operation ${run.id}).`;
}

function runText({ objects, filter, after }: ListedAuditEntry, who: string): string {
  const closed = filter?.missing === 'archive' ? 'archived' : 'closed';
  const changes = [
    ['added', 'added'],
    ['updated', 'updated'],
    ['reopened', 'reopened'],
    ['closed', closed],
  ].flatMap(([name = '', verb]) => {
    const count = numberIn(after, name);
    return count === 0 ? [] : [`${verb} ${count}`];
  });
  const refused = numberIn(after, 'refused');
  const rows = refused === 0 ? '' : ` It refused ${refused} ${refused === 1 ? 'row' : 'rows'}.`;
  const run = objects.find(({ kind }) => kind === 'operation')?.id ?? '';
  return `A sync with the job source changed jobs: ${changes.join(', ')}.${rows} ${who} ran it as operation ${run}.`;
}

function numberIn(fields: AuditFields | null, name: string): number {
  const value = fields?.[name];
  return typeof value === 'number' ? value : 0;
}
