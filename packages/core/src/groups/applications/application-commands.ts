import {
  type ApplicationRecord,
  type Decision,
  type EvaluationStage,
  type ResumeState,
  STAGES_OF,
} from '../../domain/application.js';
import type { ApplicationId } from '../../domain/ids.js';
import { OperatorError } from '../../errors.js';
import { onApplication, onKey } from '../../operator/command/claims.js';
import { type Definitions, inTransaction } from '../../operator/command/definition.js';
import { distinctBy, id, LIST_LIMIT, oneOf, optional } from '../../operator/command/fields.js';
import { filter, record } from '../../operator/command/input.js';
import { type ForEach, type OneOrMany, oneOrMany } from '../../operator/command/one-or-many.js';
import { lockApplication } from '../../operator/find-or-throw.js';
import type { Page, PageOptions } from '../../operator/page-cursor.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import type { Repositories } from '../../ports/storage.js';
import type { ApplicationFilter } from './application-filter.js';
import { type ApplicationDetails, findApplication } from './find-application.js';
import {
  type ListedApplication,
  LOOKUPS,
  type Lookup,
  listDefinition,
  lookupOf,
  readLookup,
  rightsOf,
} from './list-applications.js';
import { type ApplicationOutcome, moveApplications } from './move-applications.js';

/** An application by id. */
export interface ApplicationTarget {
  readonly id: ApplicationId;
}

/** A move of an application. */
export interface StageMove extends ApplicationTarget {
  /** Default: the stage that it has, or `video_interview` from `received`. */
  readonly stage?: EvaluationStage | undefined;
}

/** A decision on an application. */
export interface ApplicationDecision extends ApplicationTarget {
  /** Final: `accepted` or `rejected`. */
  readonly decision: Decision;
}

/** What to do with the download of a résumé. */
export interface ResumeUpdate extends ApplicationTarget {
  /** `again` schedules another download after a failure, due now. `stop` ends one that waits for its next attempt. */
  readonly fetch: 'again' | 'stop';
}

/** A number of applications. */
export interface ApplicationCount {
  /** At most 10,000. */
  readonly count: number;
  /** False if there are more: counting stops at 10,000. */
  readonly isExact: boolean;
}

/** Manages applications. A move to the state that the application already has changes nothing. */
export interface ApplicationCommands {
  /**
   * Moves an application, or at most 1,000 of them all or none, to a stage of `in_progress`, in any order; from
   * `received`, by default to `video_interview`. Returns one outcome for each, in the same order. A list has each
   * application once. Sends no event.
   * @throws OperatorError `APPLICATION_NOT_FOUND`; `ILLEGAL_MOVE` after a decision.
   * @example
   * await operator.applications.move({ id: applicationId });
   * await operator.applications.move({ id: applicationId, stage: 'final_review' });
   */
  move<Given extends OneOrMany<StageMove>>(to: Given): Promise<ForEach<Given, ApplicationOutcome>>;
  /**
   * Hires (`accepted`) or rejects the candidate of an application, or of at most 1,000 all or none, permanently.
   * Returns one outcome for each, in the same order. A list has each application once. Records the event
   * `application.status_changed` in the same commit.
   * @throws OperatorError `APPLICATION_NOT_FOUND`; `ILLEGAL_MOVE` if the other decision was made, or if the application
   *   is still `received`, without the option `decideFromReceived`.
   * @example
   * const { application, changed } = await operator.applications.decide({
   *   id: applicationId,
   *   decision: 'accepted',
   * });
   * const { items } = await operator.applications.list({ jobId, status: 'in_progress', limit: 1000 });
   * await operator.applications.decide(items.map(({ id }) => ({ id, decision: 'rejected' as const })));
   */
  decide<Given extends OneOrMany<ApplicationDecision>>(
    decision: Given,
  ): Promise<ForEach<Given, ApplicationOutcome>>;
  /**
   * Schedules another download of a résumé that could not be fetched, due now, or stops one that waits for its next
   * attempt. `changed` is false if one waits already, or if none waits to be stopped. The stopped résumé fails with
   * `stopped`, and the inbox, if it is on, gets `resume.failed`.
   * @throws OperatorError `APPLICATION_NOT_FOUND`; `ILLEGAL_MOVE` for `again` if there is no résumé, if it was fetched,
   *   or if its URL is no longer stored.
   * @example
   * await operator.applications.updateResume({ id: applicationId, fetch: 'again' });
   */
  updateResume(update: ResumeUpdate): Promise<ApplicationOutcome>;
  /**
   * Returns an application with its candidate, answers, résumé state and the candidate's consent, or null. The
   * candidate's texts are empty if `erasedAt` is not null.
   * @example
   * const application = await operator.applications.find({ id: applicationId });
   */
  find(application: ApplicationTarget): Promise<ApplicationDetails | null>;
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
   * const { items: ofPerson } = await operator.applications.list({ email: 'ada@example.org' });
   */
  list(filter?: ApplicationFilter): Promise<Page<ListedApplication>>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { id } of operator.applications.each({ jobId, status: 'received' })) console.log(id);
   */
  each(filter?: ApplicationFilter): AsyncIterable<ListedApplication>;
  /**
   * Counts the applications of a filter of `list`, all by default, up to 10,000: `isExact` is false if there may be
   * more.
   * @example
   * const { count, isExact } = await operator.applications.count({ jobId, status: 'received' });
   * const text = isExact ? String(count) : `${count} or more`;
   */
  count(filter?: Omit<ApplicationFilter, keyof PageOptions>): Promise<ApplicationCount>;
}

/** Limits how many applications one transaction locks. */
const MOST_MOVES = 1_000;

const MOVES = {
  name: 'applications',
  rule: 'each with the id of an application',
  max: MOST_MOVES,
  rules: (moves: readonly ApplicationTarget[]) =>
    distinctBy(moves, (each) => each.id, 'must not contain an id twice'),
};

const target = { id: id('application') };
const stage = oneOf(STAGES_OF.in_progress);

export const applicationDefinitions: Definitions<ApplicationCommands> = {
  move: {
    summary: 'Begins the evaluation, or moves to another stage',
    input: oneOrMany({ ...target, stage: optional(stage, 'The stage; by default, the first one') }, MOVES),
    pastTense: 'moved the application',
    pastTenseOfMany: 'moved applications',
    right: 'applications:move',
    claims: onApplication,
    run: inTransaction((scope, moves) =>
      moveApplications(
        scope,
        moves.map((each) => ({ id: each.id, move: { to: 'in_progress', stage: each.stage } })),
      ),
    ),
  },
  decide: {
    summary: 'Hires or rejects, and sends application.status_changed',
    input: oneOrMany({ ...target, decision: oneOf(['accepted', 'rejected']) }, MOVES),
    pastTense: 'decided on the application',
    pastTenseOfMany: 'decided on applications',
    right: 'applications:decide',
    claims: onApplication,
    run: inTransaction((scope, decisions) =>
      moveApplications(
        scope,
        decisions.map(({ id, decision: to }) => ({ id, move: { to } })),
      ),
    ),
  },
  updateResume: {
    summary: 'Retries the download of a résumé, or stops one that is tried again later',
    input: record({ ...target, fetch: oneOf(['again', 'stop']) }),
    pastTense: 'changed the download of the résumé',
    right: 'applications:fetch-resume',
    claims: onApplication,
    run: inTransaction((scope, { id, fetch }) =>
      fetch === 'again' ? fetchResumeAgain(scope, id) : stopResume(scope, id),
    ),
  },
  find: {
    summary: 'Shows one application with its candidate and answers',
    input: record(target),
    right: 'applications:read',
    claims: onApplication,
    run: (context, application) => findApplication(context, application.id),
  },
  list: listDefinition,
  count: {
    summary: 'Counts the applications of a filter of the list, up to 10,000',
    input: filter(LOOKUPS),
    right: rightsOf,
    claims: onKey,
    run: ({ read, settings }, asked = {}) => countApplications(read, lookupOf(asked, settings.phones)),
  },
};

const MOST_COUNTED = 10_000;

async function countApplications(read: Repositories, lookup: Lookup): Promise<ApplicationCount> {
  const limit = LIST_LIMIT.max;
  let count = 0;
  let cursor: string | undefined;
  do {
    const page: Page<ApplicationRecord> = await readLookup(read, lookup, [], { cursor, limit });
    count += page.items.length;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && count < MOST_COUNTED);
  return { count, isExact: cursor === undefined };
}

/** Queues a failed download of a résumé again. */
async function fetchResumeAgain(scope: Scope, id: ApplicationId): Promise<ApplicationOutcome> {
  const { tx } = scope;
  const application = await lockApplication(scope, id);
  const { keyId, resume, resumeUrl } = application;
  if (resume.kind === 'pending') return { application, changed: false };
  if (resume.kind !== 'failed' || resumeUrl === null) {
    const message = `${whyNotFetchable(application)} Only a failed download can be fetched again.`;
    throw new OperatorError('ILLEGAL_MOVE', message);
  }
  const dueAt = await scope.now();
  await tx.resumeFiles.add({ applicationId: id, keyId, url: resumeUrl, attempts: 0, dueAt });
  return saveResume(scope, application, { kind: 'pending', attempts: 0 });
}

function whyNotFetchable({ id, resume, erasedAt }: ApplicationRecord): string {
  if (erasedAt !== null) return `The candidate of application ${id} was erased.`;
  if (resume.kind === 'none') return `Application ${id} has no résumé.`;
  if (resume.kind === 'fetched') return `The résumé of application ${id} was already fetched.`;
  return `The URL of the résumé of application ${id} is no longer stored.`;
}

/**
 * Stops a download that waits. Cancels it before it locks the application: a worker that records a result locks in the
 * same order, so the two cannot deadlock.
 */
async function stopResume(scope: Scope, id: ApplicationId): Promise<ApplicationOutcome> {
  const { tx } = scope;
  await tx.candidates.cancelResumeFiles([id]);
  const application = await lockApplication(scope, id);
  const { keyId, resume } = application;
  if (resume.kind !== 'pending') return { application, changed: false };
  const at = await scope.now();
  const outcome = await saveResume(scope, application, { kind: 'failed', reason: 'stopped', failedAt: at });
  // The stamp is taken last: it locks the feed head until the commit.
  const isTold = await tx.inbox.isOn();
  const stamps = isTold ? await tx.feed.take([{ keyId, count: 1, withoutEvents: true }], at) : [];
  await tx.inbox.add(
    stamps.map(({ first }) => ({ applicationId: id, keyId, at: first, kind: 'resume.failed' })),
  );
  return outcome;
}

async function saveResume(
  scope: Scope,
  application: ApplicationRecord,
  resume: ResumeState,
): Promise<ApplicationOutcome> {
  const { id, keyId } = application;
  await scope.tx.applications.saveResume(id, resume);
  const before = { resume: application.resume.kind };
  recordAct(scope, { objects: [{ kind: 'application', id }], keyId, before, after: { resume: resume.kind } });
  scope.workIsDue();
  return { application: { ...application, resume }, changed: true };
}
