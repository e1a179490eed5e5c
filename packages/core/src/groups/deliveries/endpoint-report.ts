import { countBacklog, type DeliveryTotals, sumBacklogs } from '../../domain/backlog.js';
import type { Endpoint, StoredEndpoint } from '../../domain/endpoint.js';
import { assertNotCombined } from '../../operator/command/input.js';
import { type KeyNames, withKeyNames } from '../../operator/names.js';
import { definePageCursors, type Page, type PageOptions, readPage } from '../../operator/page-cursor.js';
import type { Runner } from '../../operator/scope.js';
import type {
  EndpointRepository,
  FailingPosition,
  PausedPosition,
} from '../../ports/repositories/endpoints.js';
import type { EndpointTarget } from './change-endpoint.js';
import { type AttemptHour, countAttempts, type HourFilter, hoursOf } from './count-hours.js';
import { viewEndpoint } from './view-endpoint.js';

/** An endpoint with the names that belong to its key, and what waits for it. */
export interface EndpointReport extends Endpoint, KeyNames {
  /** Each count stops at 10,000, or in a list at 1,000. `isExact` is false then. */
  readonly counts: DeliveryTotals;
}

/** An endpoint with its attempts by the hour. */
export interface EndpointDetails extends EndpointReport {
  /** How many attempts succeeded and failed. Oldest first. The last hour is not over. */
  readonly hours: readonly AttemptHour[];
}

/** Selects endpoints. `onlyPaused` and `onlyFailing` cannot be combined. */
export interface EndpointFilter extends PageOptions {
  /** Whether to select only paused endpoints, longest paused first; default: false. */
  readonly onlyPaused?: boolean | undefined;
  /**
   * Whether to select only failing endpoints, even paused ones, longest failing first; default: false. An endpoint is
   * failing from its first failed attempt to its next success.
   */
  readonly onlyFailing?: boolean | undefined;
}

const COUNT_BOUND = 10_000;

/** Keeps a page of 100 endpoints under half a second, even if each has a large backlog. */
const COUNT_BOUND_OF_LIST = 1_000;

const CURSORS = definePageCursors<Pick<StoredEndpoint, 'keyId'>>('endpoints', { keyId: 'id' });

const PAUSED_CURSORS = definePageCursors<PausedPosition>('paused endpoints', {
  pausedAt: 'number',
  keyId: 'id',
});

const FAILING_CURSORS = definePageCursors<FailingPosition>('failing endpoints', {
  failingSince: 'number',
  keyId: 'id',
});

export async function findEndpointDetails(
  runner: Runner,
  { keyId, since }: EndpointTarget & HourFilter,
): Promise<EndpointDetails | null> {
  const hours = hoursOf({ since }, await runner.now());
  const endpoint = await runner.read.endpoints.find(keyId);
  if (endpoint === null) return null;
  const [report] = await reportsOf(runner, [endpoint], COUNT_BOUND);
  if (report === undefined) throw new Error('One endpoint has one report.');
  return { ...report, hours: await countAttempts(runner, keyId, hours) };
}

export async function listEndpoints(
  runner: Runner,
  { onlyPaused = false, onlyFailing = false, ...page }: EndpointFilter,
): Promise<Page<EndpointReport>> {
  const given = { onlyPaused: onlyPaused || undefined, onlyFailing: onlyFailing || undefined };
  assertNotCombined(given, 'Each has its own order.');
  const read = onlyFailing ? readFailing : onlyPaused ? readPaused : readAll;
  const { items, nextCursor } = await read(runner.read.endpoints, page);
  return { items: await reportsOf(runner, items, COUNT_BOUND_OF_LIST), nextCursor };
}

type ReadEndpoints = (endpoints: EndpointRepository, page: PageOptions) => Promise<Page<StoredEndpoint>>;

const readAll: ReadEndpoints = (endpoints, page) =>
  readPage(CURSORS, [], page, ({ after, limit }) => endpoints.list({ after: after?.keyId ?? null, limit }));

const readPaused: ReadEndpoints = (endpoints, page) =>
  readPage(PAUSED_CURSORS, [], page, async (start) =>
    (await endpoints.listPaused(start)).map((row) => ({
      ...row,
      pausedAt: row.state.kind === 'paused' ? row.state.pausedAt : 0,
    })),
  );

const readFailing: ReadEndpoints = (endpoints, page) =>
  readPage(FAILING_CURSORS, [], page, async ({ after, limit }) =>
    (await endpoints.listFailing({ after: after ?? undefined, limit })).map((row) => ({
      ...row,
      failingSince: row.health.firstFailureAt ?? 0,
    })),
  );

async function reportsOf(
  { read, now: readTime, settings }: Runner,
  rows: readonly StoredEndpoint[],
  bound: number,
): Promise<readonly EndpointReport[]> {
  const now = await readTime();
  const keyIds = rows.map(({ keyId }) => keyId);
  const rules = { now, bound, maxInFlight: settings.maxInFlightPerEndpoint };
  const backlogs = await read.endpoints.backlogsOf(keyIds, now, bound);
  const counted = new Map(backlogs.map((backlog) => [backlog.keyId, [countBacklog(backlog, rules)]]));
  const endpoints = rows.map((row) => viewEndpoint(row, now));
  return (await withKeyNames(read, endpoints)).map((endpoint) => ({
    ...endpoint,
    counts: sumBacklogs(counted.get(endpoint.keyId) ?? [], now),
  }));
}
