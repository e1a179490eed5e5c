import {
  type ApplicationMove,
  type ApplicationRecord,
  type ApplicationStatus,
  decideMove,
  isTerminal,
  STATUS_MOVES,
} from '../../domain/application.js';
import type { AuditObject } from '../../domain/audit.js';
import { createEvent } from '../../domain/event.js';
import type { ApplicationId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { mapInBatches } from '../../operator/event-loop.js';
import { lockApplications } from '../../operator/find-or-throw.js';
import { groupBy } from '../../operator/group-by.js';
import { recordAct, type Scope } from '../../operator/scope.js';

/** The application after a command. */
export interface ApplicationOutcome {
  readonly application: ApplicationRecord;
  /** False if everything was as asked, so that nothing was written. */
  readonly changed: boolean;
}

/** An application, and where to move it. */
export interface MovedApplication {
  readonly id: ApplicationId;
  readonly move: ApplicationMove;
}

/** An application before and after a move, which takes the stamp `changedAt`. */
interface Moved {
  readonly before: ApplicationRecord;
  readonly after: ApplicationRecord;
  /** Whether the decision causes an event. */
  readonly isAnnounced: boolean;
}

/** Moves all applications, or none. Runs a fixed number of queries. Each application may be named once. */
export async function moveApplications(
  scope: Scope,
  moves: readonly MovedApplication[],
): Promise<readonly ApplicationOutcome[]> {
  const found = await lockApplications(
    scope,
    moves.map(({ id }) => id),
  );
  const decided = moves.flatMap(({ move }, index) => {
    const before = found[index];
    return before === undefined ? [] : [decide(scope, before, move)];
  });
  const moved = await saveMoves(
    scope,
    decided.filter((each) => each.isMoved),
  );
  const byId = new Map(moved.map(({ after }) => [after.id, after]));
  return decided.map(({ before, isMoved }) => ({
    application: byId.get(before.id) ?? before,
    changed: isMoved,
  }));
}

/** The state that a move leads to. */
interface Decided extends Pick<ApplicationRecord, 'stage' | 'status'> {
  readonly before: ApplicationRecord;
  readonly isMoved: boolean;
  readonly statusChanged: boolean;
}

function decide({ rules }: Scope, before: ApplicationRecord, move: ApplicationMove): Decided {
  const decision = decideMove(before, move, rules);
  if (decision.kind === 'illegal') throw illegalMove(before, move);
  const { status, stage } = decision.kind === 'moved' ? decision : before;
  const statusChanged = decision.kind === 'moved' && decision.statusChanged;
  return { before, isMoved: decision.kind === 'moved', status, stage, statusChanged };
}

async function saveMoves(scope: Scope, decided: readonly Decided[]): Promise<readonly Moved[]> {
  if (decided.length === 0) return [];
  const { tx } = scope;
  const moved = await stampMoves(scope, decided);
  await tx.applications.saveProgress(moved.map(({ after }) => after));
  await announce(scope, moved);
  for (const { moved: tell } of scope.hooks) await tell?.(scope, moved);
  recordMoves(scope, moved);
  return moved;
}

/** A stamp is a position in the key's feed. Taking it locks the feed until the commit, so it is taken late. */
async function stampMoves(scope: Scope, decided: readonly Decided[]): Promise<readonly Moved[]> {
  const { tx } = scope;
  const byKey = groupBy(decided, ({ before }) => before.keyId);
  const notified = await findNotified(scope, decided);
  const requests = [...byKey].map(([keyId, some]) => {
    const unlessRecorded = some.some(({ status }) => isTerminal(status));
    return { keyId, count: some.length, withoutEvents: !notified.has(keyId), unlessRecorded };
  });
  const ranges = await tx.feed.take(requests, await scope.now());
  return ranges.flatMap(({ keyId, first, isRecorded }) =>
    (byKey.get(keyId) ?? []).map((each, index) => {
      const isAnnounced = isTerminal(each.status) && (isRecorded || notified.has(keyId));
      return { before: each.before, after: applicationAfter(each, first + index), isAnnounced };
    }),
  );
}

/** Returns the keys with an endpoint that has decisions to get. */
async function findNotified({ tx }: Scope, decided: readonly Decided[]): Promise<ReadonlySet<KeyId>> {
  const keyIds = decided.flatMap(({ status, before }) => (isTerminal(status) ? [before.keyId] : []));
  return keyIds.length === 0 ? new Set() : tx.endpoints.withEndpoint([...new Set(keyIds)]);
}

function applicationAfter(
  { before, status, stage, statusChanged }: Decided,
  changedAt: Instant,
): ApplicationRecord {
  const lastStatusChangeAt = statusChanged ? changedAt : before.lastStatusChangeAt;
  return { ...before, status, stage, lastStatusChangeAt, changedAt };
}

async function announce({ tx, runtime, workIsDue }: Scope, moved: readonly Moved[]): Promise<void> {
  const made = await mapInBatches(moved, ({ before, after, isAnnounced }) =>
    isAnnounced && isTerminal(after.status)
      ? createEvent(runtime.ids.next('event'), after.keyId, after.changedAt, {
          type: 'application.status_changed',
          application: after,
          oldStatus: before.status,
          newStatus: after.status,
        })
      : null,
  );
  const events = made.filter((event) => event !== null);
  if (events.length === 0) return;
  await tx.events.append(events);
  workIsDue([...new Set(events.map(({ keyId }) => keyId))]);
}

function recordMoves(scope: Scope, moved: readonly Moved[]): void {
  const [first, ...others] = moved;
  if (first === undefined) return;
  const isOfKey = others.every(({ after }) => after.keyId === first.after.keyId);
  const keyId = isOfKey ? first.after.keyId : null;
  const objects = [objectOf(first), ...others.map(objectOf)] as const;
  if (others.length === 0) {
    recordAct(scope, { objects, keyId, before: progressOf(first.before), after: progressOf(first.after) });
    return;
  }
  const statuses = [...new Set(moved.map(({ after }) => after.status))];
  const status = statuses.length === 1 ? first.after.status : statuses;
  recordAct(scope, { objects, keyId, count: moved.length, after: { status } });
}

function objectOf({ after: { id } }: Moved): AuditObject {
  return { kind: 'application', id };
}

function progressOf({ status, stage }: ApplicationRecord): Pick<ApplicationRecord, 'stage' | 'status'> {
  return { status, stage };
}

/** Says which moves are possible. */
export function illegalMove({ id, status }: ApplicationRecord, { to }: ApplicationMove): OperatorError {
  const message = `Application ${id} is ${status} and cannot become ${to}. ${legalMovesOf(status)}`;
  return new OperatorError('ILLEGAL_MOVE', message);
}

function legalMovesOf(status: ApplicationStatus): string {
  if (isTerminal(status)) return 'A decision is final.';
  const legal = `From ${status}, it can only become ${STATUS_MOVES[status].join(' or ')}`;
  if (status !== 'received') return `${legal}.`;
  return `${legal}: call applications.move first, or set the option \`decideFromReceived\`.`;
}
