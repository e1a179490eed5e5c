import type { TimelineEntry } from '@partner-hiring/core';

/** Entries that follow each other and say the same. The first is the newest. */
export interface EntryGroup {
  readonly first: TimelineEntry;
  readonly others: readonly TimelineEntry[];
}

/** This many entries are still easier to read than to unfold. */
const MOST_ALIKE = 3;

/** Folds long runs of the same, newest first. */
export function foldInOrder(entries: readonly TimelineEntry[]): readonly EntryGroup[] {
  return fold(entries.toReversed());
}

/** Splits a timeline into what people did and what happened, newest first, and folds long runs of the same, such as imports. */
export function foldEntries(entries: readonly TimelineEntry[]): {
  readonly acts: readonly EntryGroup[];
  readonly events: readonly EntryGroup[];
} {
  const newestFirst = entries.toReversed();
  return {
    acts: fold(newestFirst.filter(({ kind }) => kind === 'command')),
    events: fold(newestFirst.filter(({ kind }) => kind !== 'command')),
  };
}

function fold(entries: readonly TimelineEntry[]): readonly EntryGroup[] {
  const runs: TimelineEntry[][] = [];
  for (const entry of entries) {
    const last = runs.at(-1);
    if (last?.[0] !== undefined && likenessOf(last[0]) === likenessOf(entry)) last.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap((run) => {
    const [first, ...others] = run;
    if (first === undefined) return [];
    return run.length > MOST_ALIKE ? [{ first, others }] : run.map((each) => ({ first: each, others: [] }));
  });
}

/** Equal for entries that say the same of different objects. */
function likenessOf(entry: TimelineEntry): string {
  switch (entry.kind) {
    case 'command':
      return `command ${entry.auditEntry.act} ${entry.auditEntry.actor.id}`;
    case 'event':
      return `event ${entry.type} ${entry.state}`;
    case 'attempt':
      return `attempt ${JSON.stringify(entry.attempt.outcome.kind)}`;
    case 'request':
      return `request ${entry.request.route} ${entry.request.status} ${entry.request.code}`;
    case 'submitted':
      return `submitted ${entry.keyId}`;
    default:
      return entry.kind;
  }
}
