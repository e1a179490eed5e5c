import { isAccessActive } from '../../domain/access.js';
import {
  type ApplicationRecord,
  decideMove,
  STAGES_OF,
  UNDECIDED_STATUSES,
} from '../../domain/application.js';
import type { StoredEndpoint } from '../../domain/endpoint.js';
import type { ApplicationId, CompanyId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { ApplicationFilter } from '../../groups/applications/application-filter.js';
import { lookupOf, readLookup } from '../../groups/applications/list-applications.js';
import type { CommandContext } from '../../operator/command/definition.js';
import { LIST_LIMIT } from '../../operator/command/fields.js';
import { InputProblem } from '../../operator/command/input.js';
import { readInTurns, yieldToEventLoop } from '../../operator/event-loop.js';
import {
  applicationNotFound,
  companyNotFound,
  findEndpoint,
  foundEach,
} from '../../operator/find-or-throw.js';
import { type KeyNames, withCompanyNames, withKeyNames } from '../../operator/names.js';
import type { Repositories } from '../../ports/storage.js';
import { type BulkInput, FILTERS, isOfAccess } from './bulk-input.js';

/** An object of an act on many: an application, the endpoint of a key, or the access of a key to a company. */
export type BulkItem = KeyNames &
  (ApplicationRecord | { readonly keyId: KeyId; readonly companyName?: string });

/** What an act selects. */
export interface BulkSelection {
  /** The ids, as the steps read them. That of an access has the ids of its key and of its company. */
  readonly ids: readonly string[];
  /** The first objects. */
  readonly items: readonly BulkItem[];
  /** The keys of the objects. Null if they belong to the host. */
  readonly keyIds: readonly KeyId[] | null;
  /** The last change of an application of the selection; 0 without applications. */
  readonly changedAt: Instant;
}

const MOST_SHOWN = 10;

/** Limits the memory of one call. */
const MOST_OBJECTS = 100_000;

/** An operation on more keys belongs to the host. */
const MOST_KEYS = 100;

/**
 * Selects the objects of a list, or those of a filter that the act can change now.
 * @throws OperatorError for an unknown object. @throws InputProblem for too many.
 */
export async function select(context: CommandContext, input: BulkInput): Promise<BulkSelection> {
  const { read } = context;
  if (isOfAccess(input.act)) {
    const found = await selectAccesses(read, input);
    const named = await withCompanyNames(read, await withKeyNames(read, found.slice(0, MOST_SHOWN)));
    const ids = found.map(({ keyId, companyId }) => `${keyId} ${companyId}`);
    return { ids: atMost(ids), items: named, keyIds: null, changedAt: 0 };
  }
  const found: readonly (ApplicationRecord | { readonly keyId: KeyId })[] =
    input.act === 'applications.decide'
      ? await selectApplications(context, input)
      : (await selectEndpoints(read, input)).map((keyId) => ({ keyId }));
  const except = new Set(input.except);
  const rows = found.filter((row) => !except.has(idOf(row)));
  const keyIds = [...new Set(rows.map(({ keyId }) => keyId))];
  return {
    ids: rows.map(idOf),
    items: await withKeyNames(read, rows.slice(0, MOST_SHOWN)),
    keyIds: keyIds.length > MOST_KEYS ? null : keyIds,
    changedAt: rows.reduce((last, row) => ('changedAt' in row ? Math.max(last, row.changedAt) : last), 0),
  };
}

function idOf(row: { readonly id: string } | { readonly keyId: KeyId }): string {
  return 'id' in row ? row.id : row.keyId;
}

function atMost<Row>(rows: readonly Row[]): readonly Row[] {
  if (rows.length <= MOST_OBJECTS) return rows;
  throw new InputProblem(
    `the filter finds more than ${MOST_OBJECTS} objects. Select fewer with another filter`,
  );
}

/** Reads the pages of each status that the decision can change, so that decided applications are not read. */
async function selectApplications(
  { read, settings: { rules, phones } }: CommandContext,
  input: BulkInput,
): Promise<readonly ApplicationRecord[]> {
  const { ids, decision: to = 'rejected', status, asOf = Number.MAX_SAFE_INTEGER } = input;
  if (ids !== undefined) {
    const distinct = [...new Set(ids as readonly ApplicationId[])];
    return foundEach(distinct, await read.applications.find(distinct), applicationNotFound);
  }
  const filter: ApplicationFilter = Object.fromEntries(FILTERS.map((name) => [name, input[name]]));
  const found: ApplicationRecord[] = [];
  for (const each of UNDECIDED_STATUSES) {
    const isDue = decideMove({ status: each, stage: STAGES_OF[each][0] }, { to }, rules).kind === 'moved';
    if (!isDue || (status ?? each) !== each) continue;
    const lookup = lookupOf({ ...filter, status: each }, phones);
    for (let cursor: string | null | undefined; cursor !== null; await yieldToEventLoop()) {
      const page = await readLookup(read, lookup, [], { cursor, limit: LIST_LIMIT.max });
      found.push(...page.items.filter(({ changedAt }) => changedAt <= asOf));
      cursor = page.nextCursor;
      atMost(found);
    }
  }
  return found;
}

/** Selects the keys that have access to a company, or those of its environment that do not. */
async function selectAccesses(
  { access, companies, keys }: Repositories,
  { act, ids = [] }: BulkInput,
): Promise<readonly { readonly keyId: KeyId; readonly companyId: CompanyId }[]> {
  const companyIds = [...new Set(ids as readonly CompanyId[])];
  const chosen = foundEach(companyIds, await companies.findMany(companyIds), companyNotFound);
  const active = (await access.listOfCompanies(companyIds)).filter(isAccessActive);
  if (act === 'access.revoke') return active;
  const granted = new Set(active.map(({ keyId, companyId }) => `${keyId} ${companyId}`));
  const all = await keys.list(null);
  return chosen.flatMap(({ id: companyId, environment }) =>
    all
      .filter((key) => key.environment === environment && !granted.has(`${key.id} ${companyId}`))
      .map(({ id: keyId }) => ({ keyId, companyId })),
  );
}

/** Returns keys in the order in which transactions lock them. */
async function selectEndpoints(read: Repositories, { act, ids }: BulkInput): Promise<readonly KeyId[]> {
  if (ids !== undefined) {
    const distinct = [...new Set(ids as readonly KeyId[])].sort();
    for (const id of distinct) await findEndpoint(read, id);
    return distinct;
  }
  const found: KeyId[] = [];
  const isDue = ({ state: { kind } }: StoredEndpoint) =>
    act === 'deliveries.resend' || (kind === 'paused') === (act === 'endpoints.resume');
  for await (const endpoints of readInTurns<StoredEndpoint>(LIST_LIMIT.max, (after) =>
    read.endpoints.list({ after: after?.keyId ?? null, limit: LIST_LIMIT.max }),
  )) {
    found.push(...endpoints.filter(isDue).map(({ keyId }) => keyId));
  }
  return found;
}
