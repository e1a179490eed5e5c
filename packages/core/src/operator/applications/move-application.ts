import {
  type ApplicationMove,
  type ApplicationRecord,
  type ApplicationStatus,
  decideMove,
  isTerminal,
  type MoveDecision,
  STATUS_MOVES,
} from '../../domain/application.js';
import { createEvent } from '../../domain/event.js';
import type { StampRequest } from '../../domain/feed.js';
import type { ApplicationId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import type { ApplicationOutcome } from '../applications.js';
import type { Scope } from '../scope.js';
import { lockApplication } from './find-application.js';

/** Moves an application, or says why not. Throws what `ApplicationCommands` says. */
export async function moveApplication(
  scope: Scope,
  id: ApplicationId,
  move: ApplicationMove,
): Promise<ApplicationOutcome> {
  const before = await lockApplication(scope, id);
  const decision = decideMove(before, move, scope.rules);
  switch (decision.kind) {
    case 'moved':
      return { application: await commit(scope, before, decision), changed: true };
    case 'unchanged':
      return { application: before, changed: false };
    case 'illegal':
      throw illegalMove(before, move);
  }
}

/** Status, stamp and event in one commit. The stamp comes last: from then on the feed head stays locked. */
async function commit(
  scope: Scope,
  before: ApplicationRecord,
  { status, stage, statusChanged }: Extract<MoveDecision, { kind: 'moved' }>,
): Promise<ApplicationRecord> {
  const { keyId } = before;
  const isAnnounced = isTerminal(status) && (await hasEndpoint(scope, keyId));
  const at = await takeStamp(scope, { keyId, count: 1, withoutEvents: !isAnnounced });
  const lastStatusChangeAt = statusChanged ? at : before.lastStatusChangeAt;
  const after = { ...before, status, stage, lastStatusChangeAt, changedAt: at };
  await scope.tx.applications.saveProgress([after]);
  if (isAnnounced) await announceDecision(scope, before, after);
  return after;
}

async function hasEndpoint({ tx }: Scope, keyId: KeyId): Promise<boolean> {
  return (await tx.endpoints.withEndpoint([keyId])).has(keyId);
}

async function takeStamp({ tx, now }: Scope, request: StampRequest): Promise<Instant> {
  const [range] = await tx.feed.take([request], await now());
  if (range === undefined) throw new Error(`The key ${request.keyId} has no feed head.`);
  return range.first;
}

async function announceDecision(
  scope: Scope,
  before: ApplicationRecord,
  after: ApplicationRecord,
): Promise<void> {
  if (!isTerminal(after.status)) return;
  const { tx, runtime } = scope;
  const event = createEvent(runtime.ids.next('event'), after.keyId, after.changedAt, {
    type: 'application.status_changed',
    application: after,
    oldStatus: before.status,
    newStatus: after.status,
  });
  await tx.events.append([event]);
  scope.workIsDue([after.keyId]);
}

/** What it is, what was asked of it, and what it may become. */
function illegalMove({ id, status }: ApplicationRecord, { to }: ApplicationMove): OperatorError {
  return new OperatorError(
    'ILLEGAL_MOVE',
    `The application ${id} is ${status}, and was to become ${to}. ${whatIsLegal(status)}`,
  );
}

function whatIsLegal(status: ApplicationStatus): string {
  if (isTerminal(status)) return `A decision is final: what is ${status} stays so.`;
  const legal = `From ${status} it may only become ${STATUS_MOVES[status].join(' or ')}`;
  if (status !== 'received') return `${legal}.`;
  return `${legal}: call applications.beginEvaluation first, or set the option \`decideFromReceived\`.`;
}
