import {
  type AuditFilter,
  type AuditObject,
  type Claims,
  type CommandName,
  type InputOf,
  OPERATOR_COMMANDS,
  type OperationPlan,
  type Page,
  type ResultOf,
  type Timeline,
  type TimelineTarget,
} from '@partner-hiring/core';
import type { ConsoleRight } from '../rights.js';
import type { Reading } from './check-claim.js';
import {
  type NamedApplication,
  narrowApplications,
  narrowAudit,
  narrowJob,
  narrowRequests,
  narrowTimeline,
  type SeeCompanies,
} from './narrow.js';

/** Returns the right that stopping an operation needs beside `operations:stop`. Null for none. */
export function stopRightOf(plan: OperationPlan): ConsoleRight | null {
  return plan.kind === 'erase' ? 'candidates:erase' : null;
}

/** The input of a command. If the command takes one input or many, one of them. */
type OneInputOf<Name extends CommandName> = Exclude<InputOf<Name>, readonly unknown[]>;

/** How a command passes the gate, beyond its right and its claims. */
interface SpecialRule<Name extends CommandName> {
  /** The right that the object needs in addition. Null for none, and for an unknown object. */
  readonly moreRight?: (operator: Reading, input: InputOf<Name>) => Promise<ConsoleRight | null>;
  /**
   * Whether the result contains unmasked candidates. In the results of all other commands, candidates are masked for
   * every actor.
   */
  readonly showsCandidate?: true;
  /** Hides texts that may quote a candidate. Applies to actors without `candidates:read`. */
  readonly hide?: (result: ResultOf<Name>) => ResultOf<Name>;
  /** Asks for less. Applies to actors for some partners. */
  readonly limit?: (input: OneInputOf<Name>) => OneInputOf<Name>;
  /** Hides what the result says about other partners. Applies to actors who may see only some partners. */
  readonly narrow?: (
    result: ResultOf<Name>,
    input: InputOf<Name>,
    sees: SeeCompanies,
  ) => ResultOf<Name> | Promise<ResultOf<Name>>;
}

/** The host's errors may quote a candidate. */
function hideInboxErrors(page: ResultOf<'inbox.list'>): ResultOf<'inbox.list'> {
  return { ...page, items: page.items.map((item) => ({ ...item, lastError: null })) };
}

const SPECIAL: { readonly [Name in CommandName]?: SpecialRule<Name> } = {
  'access.grant': {
    // Only an actor for all partners undoes a revocation.
    limit: (grant) => ({ ...grant, renew: false }),
  },
  'access.list': {
    limit: (filter) => ({ ...filter, onlyActive: true }),
  },
  'applications.list': {
    narrow: narrowPage,
  },
  'audit.list': {
    narrow: (page, filter, sees) => narrowAudit(page, objectsOf(filter), sees),
  },
  'candidates.export': {
    showsCandidate: true,
  },
  'candidates.list': {
    narrow: narrowPage,
  },
  'candidates.reveal': {
    showsCandidate: true,
    narrow: async (application, _input, sees) => {
      const [narrowed = application] = await narrowApplications([application], sees);
      return narrowed;
    },
  },
  'inbox.list': { hide: hideInboxErrors },
  'jobs.find': {
    narrow: (job) => (job === null ? null : narrowJob(job)),
  },
  'jobs.list': {
    narrow: (page) => ({ ...page, items: page.items.map(narrowJob) }),
  },
  'partners.health': {
    // With two partners, the figures of all others would be those of the other one.
    narrow: (health) => ({ ...health, keys: health.keys.map((key) => ({ ...key, others: null })) }),
  },
  'operations.stop': {
    moreRight: async ({ operations }, target) => {
      const operation = await operations.find(target);
      return operation === null ? null : stopRightOf(operation.plan);
    },
  },
  'requests.find': {
    narrow: async (request, _input, sees) =>
      request === null ? null : ((await narrowRequests([request], sees))[0] ?? null),
  },
  'requests.list': {
    narrow: async (page, _input, sees) => ({ ...page, items: await narrowRequests(page.items, sees) }),
  },
  'system.search': {
    narrow: narrowSearch,
  },
  'timelines.find': {
    hide: hideErrors,
    narrow: (timeline, target, sees) => narrowTimeline(timeline, subjectsOf(target), sees),
  },
};

/** Replaces the names of companies that the actor's partners no longer see. */
async function narrowSearch(
  found: ResultOf<'system.search'>,
  _input: unknown,
  sees: SeeCompanies,
): Promise<ResultOf<'system.search'>> {
  const applications = await narrowApplications(found.applications, sees);
  const byId = new Map(applications.map((application) => [application.id, application]));
  const people = found.people.map(({ application }) => ({
    application: byId.get(application.id) ?? application,
  }));
  return { ...found, people, applications };
}

/** A rule without the types of its command. */
export interface GateRule {
  readonly isAct: boolean;
  readonly rights: (input: unknown) => readonly ConsoleRight[];
  /** Returns the objects that the command reads or changes. */
  readonly claims: (input: unknown) => Claims;
  readonly moreRight?: (operator: Reading, input: unknown) => Promise<ConsoleRight | null>;
  readonly showsCandidate?: true;
  readonly hide?: (result: unknown) => unknown;
  readonly limit?: (input: unknown) => unknown;
  readonly narrow?: (result: unknown, input: unknown, sees: SeeCompanies) => unknown;
}

/**
 * Every command that the console may call. The rights come from the command's definition in core: a command without a
 * right cannot be called. Partners share jobs and companies. An actor for some partners may read those to which one of
 * these partners has active access, and may not change them.
 */
export const GATE: ReadonlyMap<CommandName, GateRule> = new Map(
  OPERATOR_COMMANDS.flatMap(({ name, act, guard }) =>
    guard === null
      ? []
      : [[name, { isAct: act !== null, ...guard, ...(SPECIAL[name] as Partial<GateRule>) }] as const],
  ),
);

/** Hides the host's errors in a timeline. */
function hideErrors(timeline: Timeline): Timeline {
  const entries = timeline.entries.map((entry) =>
    entry.kind === 'inbox' ? { ...entry, entry: { ...entry.entry, lastError: null } } : entry,
  );
  return { ...timeline, entries };
}

/** The objects whose acts a timeline has. */
function subjectsOf({ applicationId, jobId, keyId }: TimelineTarget): readonly AuditObject[] {
  if (applicationId !== undefined) return [{ kind: 'application', id: applicationId }];
  if (jobId !== undefined) return [{ kind: 'job', id: jobId }];
  return [
    { kind: 'key', id: keyId },
    { kind: 'endpoint', id: keyId },
  ];
}

async function narrowPage<Application extends NamedApplication>(
  page: Page<Application>,
  _input: unknown,
  sees: SeeCompanies,
): Promise<Page<Application>> {
  return { ...page, items: await narrowApplications(page.items, sees) };
}

/** The objects that a filter of the audit selects. */
function objectsOf({ keyId, object }: AuditFilter = {}): readonly AuditObject[] {
  if (keyId !== undefined) return subjectsOf({ keyId });
  return object === undefined ? [] : [object];
}
