import type { Decision } from '../../domain/application.js';
import type { ApplicationId, CompanyId, KeyId } from '../../domain/ids.js';
import type { BulkWork, ResendOnly } from '../../domain/operation.js';
import { isGiven } from '../../domain/optional.js';
import type { Instant } from '../../domain/time.js';
import type { ApplicationFilter } from '../../groups/applications/application-filter.js';
import { LOOKUPS } from '../../groups/applications/list-applications.js';
import { type Claims, onApplication, onHost, onKey } from '../../operator/command/claims.js';
import {
  dryRun,
  flag,
  instant,
  isTextUpTo,
  LIST_LIMIT,
  listField,
  oneOf,
  only,
  optional,
  range,
  value,
} from '../../operator/command/fields.js';
import { type BrokenRule, either } from '../../operator/command/input.js';
import type { CommandRight } from '../../operator/command/rights.js';

/** The filters of `applications.list` that select what to decide on. A search is not one: the audit records the filter. */
export const FILTERS = [
  ...(['keyId', 'companyId', 'jobId', 'status'] as const),
  ...(['submittedSince', 'unchangedSince', 'onlyFailedResumes'] as const),
];

/** Decides on chosen applications, or on those of a filter that still can be decided so. */
export interface BulkDecision extends Pick<ApplicationFilter, (typeof FILTERS)[number]> {
  readonly act: 'applications.decide';
  /** Final: `accepted` or `rejected`. */
  readonly decision: Decision;
  /** At most 1,000; without a filter. */
  readonly ids?: readonly ApplicationId[] | undefined;
  /**
   * Leaves out those of the filter that have changed after this instant, such as the `asOf` of the dry run that somebody
   * has confirmed; default: now.
   */
  readonly asOf?: Instant | undefined;
  readonly dryRun?: boolean | undefined;
}

/** Grants keys access to a company, or revokes it: for chosen keys, or for all keys of all partners. */
export interface BulkAccessChange {
  readonly act: 'access.grant' | 'access.revoke';
  readonly companyId: CompanyId;
  /** Keys, at most 1,000; without `all`. */
  readonly ids?: readonly KeyId[] | undefined;
  /** All keys of the company's environment without access, or with access. */
  readonly all?: true | undefined;
  /** Whether to grant access again that was revoked; default: true. */
  readonly renew?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

/** Pauses or resumes endpoints, or resends their events: of chosen keys, or of a filter. */
export interface BulkEndpointAct {
  readonly act: 'endpoints.pause' | 'endpoints.resume' | 'deliveries.resend';
  /** The keys of the endpoints, at most 1,000; without a filter. */
  readonly ids?: readonly KeyId[] | undefined;
  readonly onlyPaused?: boolean | undefined;
  /** Only endpoints whose last attempt failed. */
  readonly onlyFailing?: boolean | undefined;
  /** All endpoints that the act can change. */
  readonly all?: true | undefined;
  /** With `endpoints.resume`: whether to send now what waits for its next attempt; default: false. */
  readonly retryNow?: boolean | undefined;
  /** With `deliveries.resend`: only events that were recorded from this time on, inclusive. */
  readonly since?: Instant | undefined;
  /** With `deliveries.resend`: only events that were recorded before this time, exclusive. Only with `since`. */
  readonly until?: Instant | undefined;
  /** With `deliveries.resend`: `undelivered`, only dead letters and what waits for its next attempt. */
  readonly only?: ResendOnly | undefined;
  readonly dryRun?: boolean | undefined;
}

/** What to do with many objects. `act` is the command that does it with one. */
export type BulkInput = BulkDecision | BulkAccessChange | BulkEndpointAct;

type Name = keyof BulkDecision | keyof BulkAccessChange | keyof BulkEndpointAct;

interface ActRules {
  readonly right: CommandRight;
  /** The fields that it requires. */
  readonly needs: readonly Name[];
  /** The fields that select objects, if `ids` does not. */
  readonly selects: readonly Name[];
  readonly takes?: readonly Name[];
}

const OF_ENDPOINTS = ['onlyPaused', 'onlyFailing', 'all'] as const;

const RULES: Readonly<Record<BulkWork['act'], ActRules>> = {
  'applications.decide': {
    right: 'applications:decide',
    needs: ['decision'],
    selects: FILTERS,
    takes: ['asOf'],
  },
  'access.grant': { right: 'access:grant', needs: ['companyId'], selects: ['all'], takes: ['renew'] },
  'access.revoke': { right: 'access:revoke', needs: ['companyId'], selects: ['all'] },
  'endpoints.pause': { right: 'endpoints:pause', needs: [], selects: OF_ENDPOINTS },
  'endpoints.resume': { right: 'endpoints:resume', needs: [], selects: OF_ENDPOINTS, takes: ['retryNow'] },
  'deliveries.resend': {
    right: 'deliveries:resend',
    needs: [],
    selects: OF_ENDPOINTS,
    takes: ['since', 'until', 'only'],
  },
};

const ACTS = Object.keys(RULES) as readonly BulkWork['act'][];

function brokenRules(given: Readonly<Record<string, unknown>>): readonly BrokenRule[] {
  const act = given.act as BulkWork['act'];
  const { needs, selects, takes = [] } = RULES[act];
  const names = Object.keys(given).filter((name) => isGiven(given[name]) && given[name] !== false);
  const known: readonly string[] = ['act', 'ids', 'dryRun', ...needs, ...selects, ...takes];
  const foreign = names.filter((name) => !known.includes(name));
  const isChosen = names.some((name) => selects.some((each) => each === name));
  const rules: readonly (readonly [isBroken: boolean, rule: string])[] = [
    [foreign.length > 0, `must not have ${foreign.join(', ')} with the act ${act}`],
    [needs.some((name) => !names.includes(name)), `must have ${needs.join(', ')} with the act ${act}`],
    [names.includes('ids') === isChosen, `must have either ids, or ${selects.join(' or ')}`],
    [names.includes('until') && !names.includes('since'), 'must have since if it has until'],
    [
      act === 'deliveries.resend' && !names.includes('since') && !names.includes('only'),
      'must have since or only with the act deliveries.resend',
    ],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, rule]) => ({ rule }));
}

const ID_MAX_LENGTH = 200;

export const bulkInput = either<BulkInput>()(
  {
    act: oneOf(ACTS),
    ids: optional(
      listField(
        value<never>((given) => isTextUpTo(given, ID_MAX_LENGTH), 'must be an id'),
        { min: 1, max: LIST_LIMIT.max, rule: `must be a list of 1 to ${LIST_LIMIT.max} ids` },
      ),
    ),
    decision: optional(oneOf(['accepted', 'rejected']), 'The decision'),
    keyId: LOOKUPS.keyId,
    companyId: LOOKUPS.companyId,
    jobId: LOOKUPS.jobId,
    status: LOOKUPS.status,
    submittedSince: LOOKUPS.submittedSince,
    unchangedSince: LOOKUPS.unchangedSince,
    onlyFailedResumes: LOOKUPS.onlyFailedResumes,
    asOf: optional(instant, 'Only those without a change since then'),
    onlyPaused: optional(flag, 'Only paused endpoints'),
    onlyFailing: optional(flag, 'Only endpoints whose last attempt failed'),
    all: optional(only(true), 'All of them'),
    renew: optional(flag, 'Whether access that was revoked is granted again, default true'),
    retryNow: optional(flag, 'Also sends now what waits for its next attempt'),
    ...range,
    only: optional(oneOf(['undelivered']), 'Only dead letters, and what waits for its next attempt'),
    dryRun,
  },
  brokenRules,
);

/** The rights of the act. An unknown act needs all of them. */
export function rightsOf({ act }: Pick<BulkInput, 'act'>): readonly CommandRight[] {
  const rules: ActRules | undefined = RULES[act];
  return rules === undefined ? Object.values(RULES).map(({ right }) => right) : [rules.right];
}

/** Chosen objects belong to their partners. A filter belongs to its key, and all others to the host. */
export function claimsOf(input: BulkInput): Claims {
  if (input.act === 'access.grant' || input.act === 'access.revoke') return onHost();
  const claims =
    input.act === 'applications.decide'
      ? (input.ids ?? []).flatMap((id) => onApplication({ id }))
      : (input.ids ?? []).flatMap((keyId) => onKey({ keyId }));
  const [first, ...others] = claims;
  if (first !== undefined) return [first, ...others];
  return input.act === 'applications.decide' ? onKey({ keyId: input.keyId ?? undefined }) : onHost();
}

export function workOf(input: BulkInput): BulkWork {
  switch (input.act) {
    case 'applications.decide':
      return { act: input.act, decision: input.decision };
    case 'access.grant':
      return { act: input.act, companyId: input.companyId, renew: input.renew ?? true };
    case 'access.revoke':
      return { act: input.act, companyId: input.companyId };
    case 'endpoints.pause':
      return { act: input.act };
    case 'endpoints.resume':
      return { act: input.act, retryNow: input.retryNow ?? false };
    case 'deliveries.resend': {
      const { since = null, until = null, only: chosen = null } = input;
      return { act: input.act, since, until, only: chosen };
    }
  }
}
