import { countBacklog, type DeliveryTotals, sumBacklogs } from '../domain/backlog.js';
import type { Endpoint, StoredEndpoint } from '../domain/endpoint.js';
import type { KeyId } from '../domain/ids.js';
import type { FailingPosition, PausedPosition } from '../ports/repositories/endpoints.js';
import { viewEndpoint } from './change-endpoint.js';
import { findEndpoint } from './find-or-throw.js';
import { type KeyNames, withKeyNames } from './names.js';
import { definePageCursors, type Page, type PageOptions, readPage } from './page-cursor.js';
import type { Runner } from './scope.js';

/** An endpoint with the names that belong to its key, and what waits for it. */
export interface EndpointReport extends Endpoint, KeyNames {
  /** Each count stops at 10,000, or in a list at 1,000. `isExact` is false then. */
  readonly counts: DeliveryTotals;
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

/** @throws OperatorError `ENDPOINT_NOT_FOUND` or `KEY_NOT_FOUND`. */
export async function reportEndpoint(runner: Runner, keyId: KeyId): Promise<EndpointReport> {
  const [report] = await reportsOf(runner, [await findEndpoint(runner.read, keyId)], COUNT_BOUND);
  if (report === undefined) throw new Error('One endpoint has one report.');
  return report;
}

export async function listEndpoints(
  runner: Runner,
  { onlyPaused = false, ...page }: PageOptions & { readonly onlyPaused?: boolean | undefined },
): Promise<Page<EndpointReport>> {
  const { endpoints } = runner.read;
  if (!onlyPaused) {
    const rows = await readPage(CURSORS, [], page, ({ after, limit }) =>
      endpoints.list({ after: after?.keyId ?? null, limit }),
    );
    return reportPage(runner, rows);
  }
  const paused = await readPage(PAUSED_CURSORS, [], page, async (start) =>
    (await endpoints.listPaused(start)).map((row) => ({
      ...row,
      pausedAt: row.state.kind === 'paused' ? row.state.pausedAt : 0,
    })),
  );
  return reportPage(runner, paused);
}

export async function listFailingEndpoints(runner: Runner, page: PageOptions): Promise<Page<EndpointReport>> {
  const failing = await readPage(FAILING_CURSORS, [], page, async ({ after, limit }) =>
    (await runner.read.endpoints.listFailing({ after: after ?? undefined, limit })).map((row) => ({
      ...row,
      failingSince: row.health.firstFailureAt ?? 0,
    })),
  );
  return reportPage(runner, failing);
}

async function reportPage(
  runner: Runner,
  { items, nextCursor }: Page<StoredEndpoint>,
): Promise<Page<EndpointReport>> {
  return { items: await reportsOf(runner, items, COUNT_BOUND_OF_LIST), nextCursor };
}

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
