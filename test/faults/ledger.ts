import { expect } from 'vitest';
import type { PartnerEvent } from '../../packages/core/src/domain/event.js';
import type { Stage } from '../scenarios/worker/stage.js';
import type { Note } from './doom.js';

export interface Balance {
  /** Started and recorded attempts. */
  readonly posts: number;
  readonly recorded: number;
  /** The longest time between the end of an unrecorded attempt and the kill. */
  readonly oldestLostMs: number;
  /** The most attempts in flight at a kill. */
  readonly mostInFlight: number;
}

/** Checks logs, rows and deliveries against each other: nothing is lost, recorded twice, or repeated after a record. */
export async function balance(
  stage: Stage,
  recorded: readonly PartnerEvent[],
  accepted: readonly string[],
  notes: readonly Note[],
): Promise<Balance> {
  expect([...new Set(accepted)].sort()).toEqual(recorded.map(({ id }) => id).sort());
  const attempts = await finalAttempts(stage, recorded);
  const commits = commitsOf(notes);
  expectCountedOnce(commits);
  expectNothingAfterDone(recorded, notes, commits);
  const posts = countBy(notes.flatMap(({ did, id }) => (did === 'posting' && id !== undefined ? [id] : [])));
  for (const [id, count] of attempts) expect(posts.get(id)).toBeGreaterThanOrEqual(count);
  return {
    posts: sum(posts),
    recorded: sum(attempts),
    oldestLostMs: oldestLost(notes),
    mostInFlight: Math.max(0, ...notes.flatMap((note, index) => inFlightAt(notes, note, index))),
  };
}

/** Attempts by event: from its row, or one without a row. */
async function finalAttempts(stage: Stage, events: readonly PartnerEvent[]) {
  const attempts = new Map<string, number>();
  for (const { keyId, id } of events) {
    const row = await stage.delivery(keyId, id);
    if (row !== null) expect(row).toMatchObject({ state: 'delivered', dueAt: null });
    attempts.set(id, row?.attempts ?? 1);
  }
  return attempts;
}

/** A transaction about to commit. Its result is unknown after a kill. */
interface Commit extends Note {
  readonly isKnown: boolean;
}

/** In order. Of repeated transactions, only the last counts. */
function commitsOf(notes: readonly Note[]): readonly Commit[] {
  return notes.flatMap((note, index) => {
    if (note.did !== 'committing') return [];
    const rest = notes.slice(index + 1);
    const next = rest.find(({ pid, transaction }) => pid === note.pid && transaction === note.transaction);
    return next?.did === 'committing' ? [] : [{ ...note, isKnown: next !== undefined }];
  });
}

/** Each row's attempts grow by one; a hanging one is first saved with none. */
function expectCountedOnce(commits: readonly Commit[]): void {
  const possible = new Map<string, readonly number[]>();
  for (const { saved = [], isKnown } of commits) {
    for (const { id, attempts } of saved) {
      const before = possible.get(id) ?? [-1, 0];
      expect(before.map((count) => count + 1)).toContain(attempts);
      possible.set(id, isKnown ? [attempts] : [...before, attempts]);
    }
  }
}

function expectNothingAfterDone(
  events: readonly PartnerEvent[],
  notes: readonly Note[],
  commits: readonly Commit[],
): void {
  const done = new Set<string>();
  const open = new Set<string>();
  const known = new Map(commits.map(({ pid, transaction, isKnown }) => [`${pid} ${transaction}`, isKnown]));
  for (const { did, id, pid, transaction, saved = [], watermarks = {} } of notes) {
    if (did === 'posting') expect(done).not.toContain(id);
    if (did !== 'committing') continue;
    const isKnown = known.get(`${pid} ${transaction}`) === true;
    for (const row of saved) {
      if (row.state === 'pending') open.add(row.id);
      else if (isKnown) done.add(row.id);
    }
    for (const event of events) {
      const isPassed = event.at <= (watermarks[event.keyId] ?? 0);
      if (isKnown && isPassed && !open.has(event.id)) done.add(event.id);
    }
  }
}

/** Ended attempts that were posted again. */
function oldestLost(notes: readonly Note[]): number {
  const ages = notes.flatMap((met, index) => {
    if (met.did !== 'met') return [];
    const later = notes.slice(index);
    const again = new Set(later.flatMap(({ did, id }) => (did === 'posting' ? [id] : [])));
    const before = notes.slice(0, index).filter(({ pid }) => pid === met.pid);
    const lastCommit = before.findLastIndex(({ did }) => did === 'committed');
    const lost = before.slice(lastCommit + 1).filter(({ did, id }) => did === 'posted' && again.has(id));
    return lost.map(({ at }) => met.at - at);
  });
  return Math.max(0, ...ages);
}

/** Only at kills. */
function inFlightAt(notes: readonly Note[], { did, pid }: Note, index: number): readonly number[] {
  if (did !== 'met') return [];
  const own = notes.slice(0, index).filter((note) => note.pid === pid);
  const count = (what: Note['did']) => own.filter((note) => note.did === what).length;
  return [count('posting') - count('posted')];
}

function countBy(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
