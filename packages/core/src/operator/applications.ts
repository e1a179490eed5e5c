import {
  type ApplicationMove,
  type ApplicationRecord,
  type ApplicationStatus,
  type Decision,
  decideMove,
  type EvaluationStage,
  isTerminal,
  type MoveDecision,
  STAGES_OF,
  STATUS_MOVES,
} from '../domain/application.js';
import { createEvent } from '../domain/event.js';
import type { StampRequest, TakenStamps } from '../domain/feed.js';
import type { ApplicationId, KeyId } from '../domain/ids.js';
import { OperatorError } from '../errors.js';
import { type ApplicationDetails, findApplication } from './candidates/describe-application.js';
import { onApplication } from './command/claims.js';
import { type Definitions, inTransaction } from './command/definition.js';
import { id, oneOf, optional, timeline } from './command/fields.js';
import { record } from './command/input.js';
import type { DeliveryDetails } from './deliveries/find-delivery.js';
import { fetchResumeAgain } from './fetch-resume-again.js';
import { lockApplication } from './find-or-throw.js';
import { type ApplicationFilter, type ListedApplication, listDefinition } from './list-applications.js';
import type { Page } from './page-cursor.js';
import type { Scope } from './scope.js';
import { recordAct } from './scope.js';
import { stopResume } from './stop-resume.js';
import { tellHost } from './tell-host.js';
import { findApplicationTimeline, listEventsOf } from './timelines/application-timeline.js';
import type { ApplicationTimeline, TimelineOptions } from './timelines/timeline.js';

/** An application by id. */
export interface ApplicationTarget {
  readonly id: ApplicationId;
}

/** The application after a command. */
export interface ApplicationOutcome {
  readonly application: ApplicationRecord;
  /** False if everything was as asked, so that nothing was written. */
  readonly changed: boolean;
}

/** Manages applications. A move to the state that the application already has changes nothing. */
export interface ApplicationCommands {
  /**
   * Moves an application from `received` to `in_progress`, at `video_interview` by default. Sends no event.
   * @throws OperatorError `APPLICATION_NOT_FOUND`; `ILLEGAL_MOVE` after a decision.
   * @example
   * await operator.applications.beginEvaluation({ id: applicationId, stage: 'under_review' });
   */
  beginEvaluation(
    move: ApplicationTarget & { readonly stage?: EvaluationStage | undefined },
  ): Promise<ApplicationOutcome>;
  /**
   * Moves an application to a stage of `in_progress`, in any order. Sends no event.
   * @throws OperatorError `APPLICATION_NOT_FOUND`; `ILLEGAL_MOVE` after a decision.
   * @example
   * await operator.applications.moveStage({ id: applicationId, stage: 'final_review' });
   */
  moveStage(move: ApplicationTarget & { readonly stage: EvaluationStage }): Promise<ApplicationOutcome>;
  /**
   * Hires (`accepted`) or rejects the candidate of an application, permanently. Records the event
   * `application.status_changed` in the same commit.
   * @throws OperatorError `APPLICATION_NOT_FOUND`; `ILLEGAL_MOVE` if the status does not allow it (from `received`,
   *   only with the option `decideFromReceived`).
   * @example
   * const { application, changed } = await operator.applications.decide({
   *   id: applicationId,
   *   decision: 'accepted',
   * });
   */
  decide(move: ApplicationTarget & { readonly decision: Decision }): Promise<ApplicationOutcome>;
  /**
   * Schedules another download of a résumé that could not be fetched, due now; `changed` is false if one waits already.
   * @throws OperatorError `APPLICATION_NOT_FOUND`; `ILLEGAL_MOVE` if there is no résumé, if it was fetched, or if its
   *   URL is no longer stored.
   * @example
   * await operator.applications.fetchResumeAgain({ id: applicationId });
   */
  fetchResumeAgain(application: ApplicationTarget): Promise<ApplicationOutcome>;
  /**
   * Stops the download of a résumé that waits for its next attempt; `changed` is false if none waits. The résumé fails
   * with `stopped`, and the inbox gets `resume.failed`.
   * @throws OperatorError `APPLICATION_NOT_FOUND`.
   * @example
   * await operator.applications.stopResume({ id: applicationId });
   */
  stopResume(application: ApplicationTarget): Promise<ApplicationOutcome>;
  /**
   * Returns an application with its candidate, answers, résumé state and the candidate's consent, or null. The
   * candidate's texts are empty if `erasedAt` is not null.
   * @example
   * const application = await operator.applications.find({ id: applicationId });
   */
  find(application: ApplicationTarget): Promise<ApplicationDetails | null>;
  /**
   * Returns the event of the decision with its delivery, in a list of at most one. The list is empty before the
   * decision, if the key had no endpoint, and after the retention of the event.
   * @throws OperatorError `APPLICATION_NOT_FOUND`.
   * @example
   * const [decision] = await operator.applications.events({ id: applicationId });
   * const deliveredAt = decision?.evidence?.deliveredAt;
   */
  events(application: ApplicationTarget): Promise<readonly DeliveryDetails[]>;
  /**
   * Returns what happened to an application, oldest first, and `news`: whether the partner knows the status, and if
   * not, why. The entries are its submission, the requests for it, the acts of the host, its event with each attempt,
   * the hand-over to the host, its résumé, and the partner's reads that showed its changes. See docs/timelines.md.
   * @throws OperatorError `APPLICATION_NOT_FOUND`.
   * @example
   * const { entries, news } = await operator.applications.timeline({ id: applicationId });
   * for (const { at, text } of entries) console.log(new Date(at).toISOString(), text);
   * console.log(news.text);
   */
  timeline(application: ApplicationTarget & TimelineOptions): Promise<ApplicationTimeline>;
  /**
   * Returns a page of applications, newest first unless the filter has another order, 100 by default.
   * `ApplicationFilter` says which filters combine, and which of them have another order. A page deep in a list costs
   * as much as the first one.
   * @example
   * const first = await operator.applications.list({ companyId, status: 'received' });
   * if (first.nextCursor !== null) {
   *   const cursor = first.nextCursor;
   *   const second = await operator.applications.list({ companyId, status: 'received', cursor });
   * }
   */
  list(filter?: ApplicationFilter): Promise<Page<ListedApplication>>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { id } of operator.applications.each({ jobId, status: 'received' })) console.log(id);
   */
  each(filter?: ApplicationFilter): AsyncIterable<ListedApplication>;
}

const DECISIONS = ['accepted', 'rejected'] as const satisfies readonly Decision[];

const target = { id: id('application') };
const stage = oneOf(STAGES_OF.in_progress);

export const applicationDefinitions: Definitions<ApplicationCommands> = {
  beginEvaluation: {
    summary: 'Begins the evaluation of a received application',
    input: record({ ...target, stage: optional(stage, 'The first stage') }),
    act: 'began the evaluation',
    right: 'applications:move',
    claims: onApplication,
    run: ({ commit }, move) =>
      commit((scope) => moveApplication(scope, move.id, { to: 'in_progress', stage: move.stage })),
  },
  moveStage: {
    summary: 'Moves to another stage',
    input: record({ ...target, stage }),
    act: 'moved the application',
    right: 'applications:move',
    claims: onApplication,
    run: ({ commit }, move) =>
      commit((scope) => moveApplication(scope, move.id, { to: 'in_progress', stage: move.stage })),
  },
  decide: {
    summary: 'Hires or rejects, and sends application.status_changed',
    input: record({ ...target, decision: oneOf(DECISIONS) }),
    act: 'decided on the application',
    right: 'applications:decide',
    claims: onApplication,
    run: ({ commit }, move) => commit((scope) => moveApplication(scope, move.id, { to: move.decision })),
  },
  fetchResumeAgain: {
    summary: 'Retries the download of a résumé',
    input: record(target),
    act: 'had the résumé fetched again',
    right: 'applications:fetch-resume',
    claims: onApplication,
    run: inTransaction(fetchResumeAgain),
  },
  stopResume: {
    summary: 'Stops the download of a résumé that is tried again later',
    input: record(target),
    act: 'stopped the download of the résumé',
    right: 'applications:fetch-resume',
    claims: onApplication,
    run: inTransaction(stopResume),
  },
  find: {
    summary: 'Shows one application with its candidate and answers',
    input: record(target),
    right: 'applications:read',
    claims: onApplication,
    run: ({ read }, application) => findApplication(read, application.id),
  },
  events: {
    summary: 'Shows the events of an application, and when each was delivered',
    input: record(target),
    right: 'deliveries:read',
    claims: onApplication,
    run: ({ read }, application) => listEventsOf(read, application.id),
  },
  timeline: {
    summary: 'Shows all that happened to an application, and whether the partner knows its status',
    input: record({ ...target, ...timeline }),
    right: 'applications:read',
    claims: onApplication,
    run: async ({ read, flush }, application) => {
      await flush();
      return findApplicationTimeline(read, application);
    },
  },
  list: listDefinition,
};

export async function moveApplication(
  scope: Scope,
  id: ApplicationId,
  move: ApplicationMove,
): Promise<ApplicationOutcome> {
  const before = await lockApplication(scope, id);
  const decision = decideMove(before, move, scope.rules);
  switch (decision.kind) {
    case 'moved':
      return { application: await saveMove(scope, before, decision), changed: true };
    case 'unchanged':
      return { application: before, changed: false };
    case 'illegal':
      throw illegalMove(before, move);
  }
}

async function saveMove(
  scope: Scope,
  before: ApplicationRecord,
  { status, stage, statusChanged }: Extract<MoveDecision, { kind: 'moved' }>,
): Promise<ApplicationRecord> {
  const { keyId } = before;
  const isEvent = isTerminal(status);
  const isNotified = isEvent && (await hasEndpoint(scope, keyId));
  // The stamp is a position in the key's feed. Taking it locks the feed until the commit, so it is taken late.
  const stamp = await takeStamp(scope, {
    keyId,
    count: 1,
    withoutEvents: !isNotified,
    unlessRecorded: isEvent,
  });
  const at = stamp.first;
  const lastStatusChangeAt = statusChanged ? at : before.lastStatusChangeAt;
  const after = { ...before, status, stage, lastStatusChangeAt, changedAt: at };
  await scope.tx.applications.saveProgress([after]);
  if (isNotified || stamp.isRecorded) await announceDecision(scope, before, after);
  await tellHost(scope, before, after);
  recordAct(scope, {
    objects: [{ kind: 'application', id: before.id }],
    keyId,
    before: { status: before.status, stage: before.stage },
    after: { status, stage },
  });
  return after;
}

async function hasEndpoint({ tx }: Scope, keyId: KeyId): Promise<boolean> {
  return (await tx.endpoints.withEndpoint([keyId])).has(keyId);
}

async function takeStamp({ tx, now }: Scope, request: StampRequest): Promise<TakenStamps> {
  const [range] = await tx.feed.take([request], await now());
  if (range === undefined) throw new Error(`Key ${request.keyId} has no feed head.`);
  return range;
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

function illegalMove({ id, status }: ApplicationRecord, { to }: ApplicationMove): OperatorError {
  const message = `Application ${id} is ${status} and cannot become ${to}. ${legalMovesOf(status)}`;
  return new OperatorError('ILLEGAL_MOVE', message);
}

function legalMovesOf(status: ApplicationStatus): string {
  if (isTerminal(status)) return 'A decision is final.';
  const legal = `From ${status}, it can only become ${STATUS_MOVES[status].join(' or ')}`;
  if (status !== 'received') return `${legal}.`;
  return `${legal}: call applications.beginEvaluation first, or set the option \`decideFromReceived\`.`;
}
