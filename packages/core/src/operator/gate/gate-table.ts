import type { AuditObject } from '../../domain/audit.js';
import type { PartnerId } from '../../domain/ids.js';
import { auditObjectsOf } from '../../features/audit/commands.js';
import type { TimelineTarget } from '../../features/timelines/commands.js';
import type { Timeline } from '../../features/timelines/timeline.js';
import type { PartnerHealth } from '../../groups/partners/partner-health.js';
import type { Repositories } from '../../ports/storage.js';
import type { InputOf, ResultOf } from '../call-command.js';
import type { CommandRight } from '../command/rights.js';
import type { CommandName } from '../commands.js';
import type { Page } from '../page-cursor.js';
import {
  type NamedApplication,
  narrowApplications,
  narrowAudit,
  narrowFoundJob,
  narrowJob,
  narrowRequests,
  narrowTimeline,
  type SeeCompanies,
} from './narrow.js';

/** The input of a command. If the command takes one input or many, one of them. */
type OneInputOf<Name extends CommandName> = Exclude<InputOf<Name>, readonly unknown[]>;

/** How a command passes the gate, beyond its right and its claims. */
export interface GateRule<Name extends CommandName = never> {
  /** The right that the object needs in addition. Null for none, and for an unknown object. */
  readonly moreRight?: (read: Repositories, input: InputOf<Name>) => Promise<CommandRight | null>;
  /**
   * Whether the result contains unmasked candidates. In the results of all other commands, candidates are masked for
   * every actor.
   */
  readonly showsCandidate?: true;
  /** Throws for an unknown object. Without this, a command named `find` returns null. */
  readonly neverNull?: true;
  /** Hides texts that may quote a candidate. Applies to actors without `candidates:read`. */
  readonly hide?: (result: ResultOf<Name>) => ResultOf<Name>;
  /** Asks for less. Applies to actors for some partners. */
  readonly limit?: (input: OneInputOf<Name>) => OneInputOf<Name>;
  /** Hides what the result says about other partners. Applies to actors who may see only some partners. */
  readonly narrow?: (
    result: ResultOf<Name>,
    input: InputOf<Name>,
    sees: SeeCompanies,
    partnerIds: readonly PartnerId[],
  ) => ResultOf<Name> | Promise<ResultOf<Name>>;
}

/** The host's errors may quote a candidate. */
function hideInboxErrors(page: ResultOf<'inbox.list'>): ResultOf<'inbox.list'> {
  return { ...page, items: page.items.map((item) => ({ ...item, lastError: null })) };
}

const SPECIAL: { readonly [Name in CommandName]?: GateRule<Name> } = {
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
    narrow: (page, filter = {}, sees) => narrowAudit(page, auditObjectsOf(filter), sees),
  },
  'candidates.export': {
    showsCandidate: true,
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
    narrow: (job, _input, _sees, partnerIds) => (job === null ? null : narrowFoundJob(job, partnerIds)),
  },
  'jobs.list': {
    narrow: (page) => ({ ...page, items: page.items.map(narrowJob) }),
  },
  'partners.find': {
    // With two partners, the figures of all others would be those of the other one.
    narrow: (partner) => partner && { ...partner, health: partner.health && withoutOthers(partner.health) },
  },
  'operations.stop': {
    moreRight: async ({ operations }, { id }) =>
      (await operations.find(id))?.plan.kind === 'erase' ? 'candidates:erase' : null,
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
    neverNull: true,
    hide: hideErrors,
    narrow: (timeline, target, sees) => narrowTimeline(timeline, subjectsOf(target), sees),
  },
};

function withoutOthers(health: PartnerHealth): PartnerHealth {
  return { ...health, keys: health.keys.map((key) => ({ ...key, others: null })) };
}

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

/** Returns the special rule of a command. Most commands have none. */
export function gateRuleOf(name: string): GateRule {
  return SPECIAL[name as CommandName] ?? {};
}

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
