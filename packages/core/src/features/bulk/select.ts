import { isAccessActive } from '../../domain/access.js';
import {
  type ApplicationRecord,
  decideMove,
  STAGES_OF,
  UNDECIDED_STATUSES,
} from '../../domain/application.js';
import type { StoredEndpoint } from '../../domain/endpoint.js';
import type { ApplicationId, KeyId } from '../../domain/ids.js';
import { isGiven } from '../../domain/optional.js';
import type { PartnerKey } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';
import type { ApplicationFilter } from '../../groups/applications/application-filter.js';
import {
  type ListedApplication,
  lookupOf,
  nameApplications,
  readLookup,
} from '../../groups/applications/list-applications.js';
import type { CommandContext } from '../../operator/command/definition.js';
import { LIST_LIMIT } from '../../operator/command/fields.js';
import { readInTurns, yieldToEventLoop } from '../../operator/event-loop.js';
import {
  applicationNotFound,
  companyNotFound,
  findEndpoint,
  keyNotFound,
} from '../../operator/find-or-throw.js';
import { type KeyNames, withKeyNames } from '../../operator/names.js';
import type { Repositories } from '../../ports/storage.js';
import {
  type BulkAccessChange,
  type BulkDecision,
  type BulkEndpointAct,
  type BulkInput,
  FILTERS,
} from './bulk-input.js';

/** A key with the names that belong to it. */
export interface NamedKey extends KeyNames {
  readonly keyId: KeyId;
}

/** An object of an operation, as its input has it. */
export interface BulkTarget {
  readonly id: string;
  /** An application that has another one at its step has changed meanwhile. */
  readonly changedAt?: Instant;
}

/** What an act selects. */
export interface BulkSelection {
  readonly targets: readonly BulkTarget[];
  /** False if there are more. */
  readonly isExact: boolean;
  /** The keys that the objects belong to. */
  readonly keyIds: readonly KeyId[];
  /** The first objects. */
  readonly items: readonly ListedApplication[] | readonly NamedKey[];
}

interface Limits {
  readonly atMost: number;
  /** Applications of a filter that changed later are left out. */
  readonly asOf: Instant;
}

const MOST_SHOWN = 10;

/**
 * Selects objects: those of a list, or those of a filter that the act can change now.
 * @throws OperatorError for an unknown object.
 */
export async function select(
  context: CommandContext,
  input: BulkInput,
  limits: Limits,
): Promise<BulkSelection> {
  if (input.act === 'applications.decide') return selectApplications(context, input, limits);
  const { read } = context;
  const found = 'companyId' in input ? await selectKeys(read, input) : await selectEndpoints(read, input);
  // Transactions lock keys in this order.
  const keyIds = [...new Set(found)].sort();
  const named = keyIds.slice(0, MOST_SHOWN).map((keyId) => ({ keyId }));
  return {
    targets: keyIds.map((id) => ({ id })),
    isExact: true,
    keyIds,
    items: await withKeyNames(read, named),
  };
}

async function selectApplications(
  { read, settings }: CommandContext,
  input: BulkDecision,
  { atMost, asOf }: Limits,
): Promise<BulkSelection> {
  const { rules, phones } = settings;
  const isDue = (row: Pick<ApplicationRecord, 'stage' | 'status'>) =>
    decideMove(row, { to: input.decision }, rules).kind === 'moved';
  const targets: BulkTarget[] = [];
  const first: ApplicationRecord[] = [];
  const keyIds = new Set<KeyId>();
  const add = (rows: readonly ApplicationRecord[]) => {
    targets.push(...rows.map(({ id, changedAt }) => ({ id, changedAt })));
    first.push(...rows.slice(0, MOST_SHOWN - first.length));
    for (const { keyId } of rows) keyIds.add(keyId);
  };
  let isExact = true;
  if (input.ids !== undefined) add(await findApplications(read, [...new Set(input.ids)]));
  else {
    for (const filter of filtersOf(input, isDue)) {
      const lookup = lookupOf(filter, phones);
      for (let cursor: string | undefined; isExact; await yieldToEventLoop()) {
        const page = await readLookup(read, lookup, [], { cursor, limit: LIST_LIMIT.max });
        add(page.items.filter((row) => row.changedAt <= asOf && isDue(row)));
        isExact = targets.length <= atMost;
        cursor = page.nextCursor ?? undefined;
        if (cursor === undefined) break;
      }
    }
  }
  return {
    targets: targets.slice(0, atMost),
    isExact,
    keyIds: [...keyIds],
    items: await nameApplications(read, first),
  };
}

/** Asks for each status that the decision can change, so that decided applications are not read. */
function filtersOf(
  input: BulkDecision,
  isDue: (row: Pick<ApplicationRecord, 'stage' | 'status'>) => boolean,
): readonly ApplicationFilter[] {
  const filter: ApplicationFilter = Object.fromEntries(FILTERS.map((name) => [name, input[name]]));
  const { status, unchangedSince, onlyFailedResumes = false } = filter;
  if (isGiven(unchangedSince) || onlyFailedResumes) return [filter];
  return (isGiven(status) ? [status] : UNDECIDED_STATUSES)
    .filter((each) => isDue({ status: each, stage: STAGES_OF[each][0] }))
    .map((each) => ({ ...filter, status: each }));
}

async function findApplications(
  { applications }: Repositories,
  ids: readonly ApplicationId[],
): Promise<readonly ApplicationRecord[]> {
  const rows = await applications.find(ids);
  return ids.map((id, index) => {
    const row = rows[index] ?? null;
    if (row === null) throw applicationNotFound(id);
    return row;
  });
}

async function selectKeys(
  read: Repositories,
  { act, companyId, ids, renew = true }: BulkAccessChange,
): Promise<readonly KeyId[]> {
  const company = await read.companies.find(companyId);
  if (company === null) throw companyNotFound(companyId);
  if (ids !== undefined) {
    const owners = await read.names.ofKeys(ids);
    const unknown = ids.find((_, index) => (owners[index] ?? null) === null);
    if (unknown !== undefined) throw keyNotFound(unknown);
    return ids;
  }
  const accesses = await read.access.listOfCompanies([companyId]);
  const active = accesses.filter(isAccessActive).map(({ keyId }) => keyId);
  if (act === 'access.revoke') return active;
  const left = new Set(renew ? active : accesses.map(({ keyId }) => keyId));
  const found: KeyId[] = [];
  for await (const keys of readInTurns<PartnerKey>(LIST_LIMIT.max, (after) =>
    read.keys.list(null, { after, limit: LIST_LIMIT.max }),
  )) {
    const granted = keys.filter(
      ({ id, environment }) => environment === company.environment && !left.has(id),
    );
    found.push(...granted.map(({ id }) => id));
  }
  return found;
}

async function selectEndpoints(
  read: Repositories,
  { act, ids, onlyPaused = false, onlyFailing = false }: BulkEndpointAct,
): Promise<readonly KeyId[]> {
  if (ids !== undefined) {
    for (const id of ids) await findEndpoint(read, id);
    return ids;
  }
  const isChosen = (endpoint: StoredEndpoint) =>
    (!onlyPaused || endpoint.state.kind === 'paused') &&
    (!onlyFailing || endpoint.health.firstFailureAt !== null) &&
    (act === 'deliveries.resend' || (endpoint.state.kind === 'paused') === (act === 'endpoints.resume'));
  const found: KeyId[] = [];
  for await (const endpoints of readInTurns<StoredEndpoint>(LIST_LIMIT.max, (after) =>
    read.endpoints.list({ after: after?.keyId ?? null, limit: LIST_LIMIT.max }),
  )) {
    found.push(...endpoints.filter(isChosen).map(({ keyId }) => keyId));
  }
  return found;
}
