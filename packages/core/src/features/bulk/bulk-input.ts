import type { Decision } from '../../domain/application.js';
import type { BulkAct, ResendOnly } from '../../domain/operation.js';
import { isGiven } from '../../domain/optional.js';
import type { Instant } from '../../domain/time.js';
import type { ApplicationFilter } from '../../groups/applications/application-filter.js';
import { LOOKUPS } from '../../groups/applications/list-applications.js';
import { type Claim, type Claims, onHost, onKey } from '../../operator/command/claims.js';
import {
  dryRun,
  flag,
  instant,
  isTextUpTo,
  LIST_LIMIT,
  listField,
  oneOf,
  optional,
  range,
  value,
} from '../../operator/command/fields.js';
import { type BrokenRule, record } from '../../operator/command/input.js';
import type { CommandRight } from '../../operator/command/rights.js';
import type { TimeRange } from '../../operator/page-cursor.js';

/** The filters of `applications.list` that select what to decide on. A search is not one: the audit records the filter. */
export const FILTERS = [
  ...(['keyId', 'companyId', 'jobId', 'status'] as const),
  ...(['submittedSince', 'unchangedSince'] as const),
];

/**
 * An act on many objects: those of `ids`, or those of a filter that the act can change. Decisions have the filters of
 * `applications.list`; acts on endpoints have `all`; changes of access have none.
 */
export interface BulkInput extends Pick<ApplicationFilter, (typeof FILTERS)[number]>, TimeRange {
  /** The command that is run with each object. */
  readonly act: BulkAct;
  /**
   * At most 1,000 ids: of the applications; of the companies, for all keys of their environments; or of the keys whose
   * endpoints to change.
   */
  readonly ids?: readonly string[] | undefined;
  /** All endpoints that the act can change. */
  readonly all?: boolean | undefined;
  /** With a filter or `all`: leaves out these, at most 1,000 ids. */
  readonly except?: readonly string[] | undefined;
  /** With `applications.decide`: `accepted` or `rejected`. It is final. */
  readonly decision?: Decision | undefined;
  /** With `deliveries.resend`, which needs this or `since`: only dead letters and what waits for its next attempt. */
  readonly only?: ResendOnly | undefined;
  /**
   * With a filter of applications: leaves out those that have changed after this instant, such as the `asOf` of the dry run
   * that somebody has confirmed; default: leaves out none.
   */
  readonly asOf?: Instant | undefined;
  /** Whether to only count, and change nothing; default: false. */
  readonly dryRun?: boolean | undefined;
}

type Name = keyof BulkInput;

/** The fields of an act: those that select objects, if `ids` does not, and those that say how to change them. */
const FIELDS: Readonly<Record<BulkAct, readonly [filters: readonly Name[], others?: readonly Name[]]>> = {
  'applications.decide': [FILTERS, ['decision', 'asOf', 'except']],
  'access.grant': [[]],
  'access.revoke': [[]],
  'endpoints.pause': [['all'], ['except']],
  'endpoints.resume': [['all'], ['except']],
  'deliveries.resend': [['all'], ['since', 'until', 'only', 'except']],
};

const ACTS = Object.keys(FIELDS) as readonly BulkAct[];

const COMMON: readonly Name[] = ['act', 'ids', 'dryRun'];

function brokenRules({ act, ...fields }: Pick<BulkInput, 'act'>): readonly BrokenRule[] {
  const [filters, others = []] = FIELDS[act];
  const given = Object.entries(fields).flatMap(([name, value]) =>
    isGiven(value) && value !== false ? [name] : [],
  );
  const has = (...names: readonly string[]) => names.some((name) => given.includes(name));
  const foreign = given.filter((name) => ![...COMMON, ...filters, ...others].some((each) => each === name));
  const needsDecision = others.includes('decision') && !has('decision');
  const needsEvents = others.includes('only') && !has('only', 'since');
  const rules = [
    foreign.length > 0 && `must not have ${foreign.join(', ')} with the act ${act}`,
    has('ids') === has(...filters) && `must have ${['either ids', ...filters].join(' or ')}`,
    has('ids') && has('except') && 'must have except only with a filter or all',
    needsDecision && 'must have decision with the act applications.decide',
    (needsEvents || (has('until') && !has('since'))) && 'must have since, or only without until',
  ];
  return rules.flatMap((rule) => (rule === false ? [] : [{ rule }]));
}

const ID_MAX_LENGTH = 200;
const id = value<string>((given) => isTextUpTo(given, ID_MAX_LENGTH), 'must be an id', 'text');

const ids = listField(id, {
  min: 1,
  max: LIST_LIMIT.max,
  rule: `must be a list of 1 to ${LIST_LIMIT.max} ids`,
});

export const bulkInput = record(
  {
    act: oneOf(ACTS),
    ids: optional(ids),
    except: optional(ids),
    keyId: LOOKUPS.keyId,
    companyId: LOOKUPS.companyId,
    jobId: LOOKUPS.jobId,
    status: LOOKUPS.status,
    submittedSince: LOOKUPS.submittedSince,
    unchangedSince: LOOKUPS.unchangedSince,
    all: optional(flag, 'All endpoints that the act can change'),
    decision: optional(oneOf(['accepted', 'rejected']), 'The decision, which is final'),
    ...range,
    only: optional(oneOf(['undelivered']), 'Only dead letters, and what waits for its next attempt'),
    asOf: optional(instant, 'Only those without a change since then'),
    dryRun,
  },
  brokenRules,
);

/** Returns the right of the act's command, such as `applications:decide`. An unknown act needs all of them. */
export function bulkRightsOf({ act }: Pick<BulkInput, 'act'>): readonly CommandRight[] {
  const acts = ACTS.includes(act) ? [act] : ACTS;
  return acts.map((each) => each.replace('.', ':') as CommandRight);
}

/** Chosen objects belong to their partners, and a filter to its key. All others belong to the host. */
export function claimsOf({ act, ids = [], keyId }: BulkInput): Claims {
  if (isOfAccess(act)) return onHost();
  const on = act === 'applications.decide' ? 'application' : 'key';
  const [first, ...others] = ids.map((id) => ({ on, id }) as Claim);
  return first === undefined ? onKey({ keyId: keyId ?? undefined }) : [first, ...others];
}

/** Whether the act changes the access of keys to companies. */
export function isOfAccess(act: BulkAct): boolean {
  return act === 'access.grant' || act === 'access.revoke';
}
