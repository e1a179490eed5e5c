import type { DeliveryTotals } from '../domain/backlog.js';
import { countBacklog } from '../domain/backlog.js';
import type { EndpointState } from '../domain/endpoint.js';
import { type FailingFacts, failingFacts, type PartnerOfKey } from '../domain/failing-endpoint.js';
import type { KeyId } from '../domain/ids.js';
import type { Instant } from '../domain/time.js';
import type { FailingPosition } from '../ports/repositories/endpoints.js';
import { limitOf } from './command/fields.js';
import { definePageCursors, type Page, type PageOptions } from './page-cursor.js';
import type { Runner } from './scope.js';

/** A failing endpoint. */
export interface FailingEndpoint extends FailingFacts, PartnerOfKey {
  readonly state: EndpointState;
  /** How many events wait: for their first attempt, for a retry, or for the endpoint to be resumed. */
  readonly waiting: number;
  /** False if counting stopped at 1,000 first attempts, due retries or later retries. */
  readonly isExact: boolean;
}

/** Keeps a page of 100 endpoints under half a second, even if each has a large backlog. */
const COUNT_BOUND = 1_000;

const CURSORS = definePageCursors<FailingPosition>('failing endpoints', {
  failingSince: 'number',
  keyId: 'id',
});

export async function listFailingEndpoints(
  { read, now }: Runner,
  { cursor, limit: requested }: PageOptions,
): Promise<Page<FailingEndpoint>> {
  const limit = limitOf(requested);
  const after = CURSORS.read([], cursor);
  const start = after === null ? {} : { after };
  const rows = await read.endpoints.listFailing({ ...start, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const counts = await countEach(
    read,
    page.map(({ endpoint }) => endpoint.keyId),
    await now(),
  );
  const endpoints = page.flatMap(({ endpoint, partner }): readonly FailingEndpoint[] => {
    const facts = failingFacts(endpoint);
    const { due, scheduled, paused, isExact } = counts.get(endpoint.keyId) ?? NOTHING;
    const waiting = due + scheduled + paused;
    return facts === null ? [] : [{ ...facts, ...partner, state: endpoint.state, waiting, isExact }];
  });
  const last = rows.length > limit ? endpoints.at(-1) : undefined;
  return { items: endpoints, nextCursor: last === undefined ? null : CURSORS.write([], last) };
}

const NOTHING = { due: 0, scheduled: 0, paused: 0, isExact: true } as const;

async function countEach(
  { endpoints }: Runner['read'],
  keyIds: readonly KeyId[],
  now: Instant,
): Promise<ReadonlyMap<KeyId, DeliveryTotals>> {
  const rules = { now, bound: COUNT_BOUND, maxInFlight: 0 };
  const backlogs = await endpoints.backlogsOf(keyIds, now, COUNT_BOUND);
  return new Map(backlogs.map((backlog) => [backlog.keyId, countBacklog(backlog, rules)]));
}
