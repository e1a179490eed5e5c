import { maskApplication, type Page } from '@partner-hiring/core';
import type { ConsoleRight } from '../rights.js';
import type { Reading } from './check-claim.js';
import { type ClaimsOf, ON_APPLICATION, ON_HOST, ON_JOB, ON_KEY } from './claims.js';
import {
  auditObjectOf,
  onAccess,
  onAuditObject,
  onCandidate,
  onDeliveries,
  onDelivery,
  onOperation,
  onPartner,
  onRequests,
} from './claims-of-inputs.js';
import type { CommandName, InputOf, ResultOf } from './command-types.js';
import {
  type NamedApplication,
  narrowApplications,
  narrowAudit,
  narrowTimeline,
  type SeeCompanies,
} from './narrow.js';
import { stopRightOf } from './stop-right.js';

/** How a command passes the gate. */
export interface GateRule<Name extends CommandName> {
  /** The right that the command needs. All of several, which may depend on its input. */
  readonly right: ConsoleRight | ((input: InputOf<Name>) => readonly ConsoleRight[]);
  readonly kind: 'read' | 'write';
  /** The right that the object needs in addition. Null for none, and for an unknown object. */
  readonly moreRight?: (operator: Reading, input: InputOf<Name>) => Promise<ConsoleRight | null>;
  /** What the command reads or changes. */
  readonly claims: ClaimsOf<InputOf<Name>>;
  /** Hides personal data. Applies to every actor. */
  readonly mask?: (result: ResultOf<Name>) => ResultOf<Name>;
  /** Hides texts that may quote a candidate. Applies to actors without `candidates:read`. */
  readonly hide?: (result: ResultOf<Name>) => ResultOf<Name>;
  /** Asks for less. Applies to actors for some partners. */
  readonly limit?: (input: InputOf<Name>) => InputOf<Name>;
  /** Hides what the result says about other partners. Applies to actors for some partners. */
  readonly narrow?: (
    result: ResultOf<Name>,
    input: InputOf<Name>,
    sees: SeeCompanies,
  ) => ResultOf<Name> | Promise<ResultOf<Name>>;
}

type GateRules = { readonly [Name in CommandName]?: GateRule<Name> };

/**
 * Every command that the console calls. A command without a row cannot be called. Jobs and companies are shared by partners: an actor
 * for some partners may read those to which one of the partners has active access, and may not change them.
 */
export const GATE = {
  'access.enableBootstrap': { right: 'access:bootstrap', kind: 'write', claims: onAccess },
  'access.grant': {
    right: 'access:grant',
    kind: 'write',
    claims: onAccess,
    // Only an actor for all partners undoes a revocation.
    limit: (grant) => ({ ...grant, renew: false }),
  },
  'access.list': {
    right: 'access:read',
    kind: 'read',
    claims: ON_KEY,
    limit: (filter) => ({ ...filter, onlyActive: true }),
  },
  'access.revoke': { right: 'access:revoke', kind: 'write', claims: onAccess },

  'applications.beginEvaluation': {
    right: 'applications:move',
    kind: 'write',
    claims: ON_APPLICATION,
    mask: maskOutcome,
  },
  'applications.decide': {
    right: 'applications:decide',
    kind: 'write',
    claims: ON_APPLICATION,
    mask: maskOutcome,
  },
  'applications.events': { right: 'deliveries:read', kind: 'read', claims: ON_APPLICATION },
  'applications.fetchResumeAgain': {
    right: 'applications:fetch-resume',
    kind: 'write',
    claims: ON_APPLICATION,
    mask: maskOutcome,
  },
  'applications.find': {
    right: 'applications:read',
    kind: 'read',
    claims: ON_APPLICATION,
    mask: (found) => (found === null ? null : maskApplication(found)),
  },
  'applications.list': {
    right: rightsOfList,
    kind: 'read',
    claims: ON_KEY,
    mask: (page) => ({ ...page, items: page.items.map((one) => maskApplication(one)) }),
    narrow: narrowPage,
  },
  'applications.moveStage': {
    right: 'applications:move',
    kind: 'write',
    claims: ON_APPLICATION,
    mask: maskOutcome,
  },
  'applications.timeline': {
    right: 'applications:read',
    kind: 'read',
    claims: ON_APPLICATION,
    hide: hideErrors,
    narrow: (timeline, { id }) => narrowTimeline(timeline, [{ kind: 'application', id }]),
  },

  'audit.list': {
    right: 'audit:read',
    kind: 'read',
    claims: (filter) => [onAuditObject(auditObjectOf(filter))],
    narrow: (page, filter) => narrowAudit(page, [auditObjectOf(filter) ?? []].flat()),
  },

  'candidates.erase': { right: 'candidates:erase', kind: 'write', claims: onCandidate },
  'candidates.eraseMany': { right: 'candidates:erase', kind: 'write', claims: ON_HOST },
  'candidates.list': {
    right: 'candidates:search',
    kind: 'read',
    claims: onCandidate,
    mask: (page) => ({ ...page, items: page.items.map((one) => maskApplication(one)) }),
    narrow: narrowPage,
  },
  'candidates.reveal': {
    right: 'candidates:read',
    kind: 'write',
    claims: ({ applicationId: id }) => [{ on: 'application', id }],
    narrow: async (application, _input, sees) => {
      const [narrowed = application] = await narrowApplications([application], sees);
      return narrowed;
    },
  },

  'companies.find': { right: 'companies:read', kind: 'read', claims: ({ id }) => [{ on: 'company', id }] },
  'companies.list': { right: 'companies:read', kind: 'read', claims: ON_HOST },
  'companies.create': { right: 'companies:create', kind: 'write', claims: ON_HOST },
  'companies.rename': { right: 'companies:rename', kind: 'write', claims: ON_HOST },

  'deliveries.cancel': { right: 'deliveries:cancel', kind: 'write', claims: ON_KEY },
  'deliveries.count': { right: 'deliveries:read', kind: 'read', claims: ON_KEY },
  'deliveries.find': { right: 'deliveries:read', kind: 'read', claims: onDelivery },
  'deliveries.list': { right: 'deliveries:read', kind: 'read', claims: onDeliveries },
  'deliveries.listAttempts': { right: 'deliveries:read', kind: 'read', claims: ON_KEY },
  'deliveries.redeliver': { right: 'deliveries:redeliver', kind: 'write', claims: ON_KEY },
  'deliveries.redeliverAll': { right: 'deliveries:redeliver', kind: 'write', claims: ON_KEY },
  'deliveries.redeliverMany': { right: 'deliveries:redeliver', kind: 'write', claims: ON_KEY },
  'deliveries.redeliverSince': { right: 'deliveries:redeliver', kind: 'write', claims: ON_KEY },

  'endpoints.activity': { right: 'endpoints:read', kind: 'read', claims: ON_KEY },
  'endpoints.find': { right: 'endpoints:read', kind: 'read', claims: ON_KEY },
  'endpoints.health': { right: 'endpoints:read', kind: 'read', claims: ON_KEY },
  'endpoints.list': { right: 'endpoints:read', kind: 'read', claims: ON_HOST },
  'endpoints.listFailing': { right: 'endpoints:read', kind: 'read', claims: ON_HOST },
  'endpoints.pause': { right: 'endpoints:pause', kind: 'write', claims: ON_KEY },
  'endpoints.resume': { right: 'endpoints:resume', kind: 'write', claims: ON_KEY },
  'endpoints.rotateSecret': { right: 'endpoints:rotate-secret', kind: 'write', claims: ON_KEY },
  'endpoints.setUrl': { right: 'endpoints:set-url', kind: 'write', claims: ON_KEY },
  'endpoints.test': { right: 'endpoints:test', kind: 'write', claims: ON_KEY },

  'inbox.listParked': {
    right: 'inbox:read',
    kind: 'read',
    claims: ON_HOST,
    hide: (page) => ({ ...page, items: page.items.map((item) => ({ ...item, lastError: null })) }),
  },
  'inbox.retry': { right: 'inbox:retry', kind: 'write', claims: ON_HOST },
  'inbox.status': { right: 'inbox:read', kind: 'read', claims: ON_HOST },
  'inbox.turnOff': { right: 'inbox:switch', kind: 'write', claims: ON_HOST },
  'inbox.turnOn': { right: 'inbox:switch', kind: 'write', claims: ON_HOST },

  'jobs.archive': { right: 'jobs:archive', kind: 'write', claims: ON_HOST },
  'jobs.close': { right: 'jobs:move', kind: 'write', claims: ON_HOST },
  'jobs.count': {
    right: 'jobs:read',
    kind: 'read',
    claims: ({ companyId: id }) => [{ on: 'company', id }],
  },
  'jobs.find': { right: 'jobs:read', kind: 'read', claims: ON_JOB },
  'jobs.list': {
    right: 'jobs:read',
    kind: 'read',
    claims: ({ companyId: id }) => [{ on: 'company', id }],
  },
  'jobs.markInternalOnly': { right: 'jobs:hide', kind: 'write', claims: ON_HOST },
  'jobs.markPublic': { right: 'jobs:hide', kind: 'write', claims: ON_HOST },
  'jobs.reopen': { right: 'jobs:move', kind: 'write', claims: ON_HOST },
  'jobs.timeline': {
    right: 'jobs:read',
    kind: 'read',
    claims: ({ id, keyId }) => [
      { on: 'job', id },
      ...(keyId === undefined ? ON_HOST() : [{ on: 'key', id: keyId } as const]),
    ],
    narrow: (timeline, { id }) => narrowTimeline(timeline, [{ kind: 'job', id }]),
  },
  'jobs.unarchive': { right: 'jobs:archive', kind: 'write', claims: ON_HOST },

  // It names the keys of other partners.
  'jobs.visibility': { right: 'jobs:read', kind: 'read', claims: ON_HOST },

  'keys.find': { right: 'keys:read', kind: 'read', claims: ON_KEY },
  'keys.issue': { right: 'keys:issue', kind: 'write', claims: onPartner },
  'keys.list': { right: 'keys:read', kind: 'read', claims: onPartner },
  'keys.revoke': { right: 'keys:revoke', kind: 'write', claims: ON_KEY },
  'keys.rotate': { right: 'keys:rotate', kind: 'write', claims: ON_KEY },
  'keys.timeline': {
    right: 'keys:read',
    kind: 'read',
    claims: ON_KEY,
    narrow: (timeline, { keyId: id }) =>
      narrowTimeline(timeline, [
        { kind: 'key', id },
        { kind: 'endpoint', id },
      ]),
  },

  'operations.find': { right: 'operations:read', kind: 'read', claims: onOperation },
  'operations.list': { right: 'operations:read', kind: 'read', claims: ON_HOST },
  'operations.stop': {
    right: 'operations:stop',
    moreRight: async ({ operations }, target) => {
      const operation = await operations.find(target);
      return operation === null ? null : stopRightOf(operation.plan);
    },
    kind: 'write',
    claims: onOperation,
  },

  'partners.create': { right: 'partners:create', kind: 'write', claims: ON_HOST },
  'partners.find': { right: 'partners:read', kind: 'read', claims: ({ id }) => [{ on: 'partner', id }] },
  'partners.list': { right: 'partners:read', kind: 'read', claims: ON_HOST },

  'requests.find': {
    right: 'requests:read',
    kind: 'read',
    claims: ({ requestId: id }) => [{ on: 'request', id }],
  },
  'requests.list': { right: 'requests:read', kind: 'read', claims: onRequests },
  'requests.lastReads': { right: 'requests:read', kind: 'read', claims: ON_KEY },
  'requests.listReads': { right: 'requests:read', kind: 'read', claims: ON_KEY },

  'sandbox.prepare': { right: 'sandbox:prepare', kind: 'write', claims: ON_KEY },

  'system.overview': { right: 'system:read', kind: 'read', claims: ON_HOST },
  'system.status': { right: 'system:read', kind: 'read', claims: ON_HOST },
} as const satisfies GateRules;

/** A command that passes the gate. */
export type GatedCommand = keyof typeof GATE;

/**
 * A search tells who applied: a partner's own id may be an e-mail address. Somebody could spell out whole names by searching
 * for their beginnings.
 */
function rightsOfList(filter: InputOf<'applications.list'>): readonly ConsoleRight[] {
  if (filter?.lastNamePrefix !== undefined) return ['candidates:search', 'candidates:read'];
  return filter?.sourceApplicationId === undefined ? ['applications:read'] : ['candidates:search'];
}

function maskOutcome({
  application,
  changed,
}: ResultOf<'applications.decide'>): ResultOf<'applications.decide'> {
  return { application: maskApplication(application), changed };
}

/** Hides the host's errors in a timeline. */
function hideErrors(timeline: ResultOf<'applications.timeline'>): ResultOf<'applications.timeline'> {
  const entries = timeline.entries.map((entry) =>
    entry.kind === 'inbox' ? { ...entry, entry: { ...entry.entry, lastError: null } } : entry,
  );
  return { ...timeline, entries };
}

async function narrowPage<Application extends NamedApplication>(
  page: Page<Application>,
  _input: unknown,
  sees: SeeCompanies,
): Promise<Page<Application>> {
  return { ...page, items: await narrowApplications(page.items, sees) };
}
