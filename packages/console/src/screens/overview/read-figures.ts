import type {
  DeliveryCounts,
  DeliveryTotals,
  EndpointReport,
  InboxStatus,
  Page,
  SystemStatus,
} from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';
import { listKeysInScope } from '../../gate/keys-in-scope.js';
import { listFailingRows } from '../endpoints/list-endpoint-rows.js';

/** What waits, as far as the actor may see. Null for a part without the right. */
export interface OverviewFigures {
  readonly counts: Pick<
    DeliveryTotals,
    'due' | 'scheduled' | 'paused' | 'dead' | 'oldestDueMs' | 'isExact'
  > | null;
  /** Endpoints that are sent to slowly. */
  readonly slowed: number | null;
  readonly inbox: InboxStatus | null;
  /** How long the oldest unread item of the inbox waits, in milliseconds. */
  readonly inboxLagMs: number | null;
  readonly running: number | null;
  readonly workersAlive: number | null;
  /** Whether this process sends nothing, because the database belongs to another deployment. */
  readonly isSilent?: boolean;
}

/** The script reads the failing endpoints every ten seconds, and each count of a backlog takes milliseconds. */
const MOST_FAILING = 10;
const MOST_PARTNERS = 200;
const MOST_OPERATIONS = 100;
const NOTHING: OverviewFigures = {
  counts: null,
  slowed: null,
  inbox: null,
  inboxLagMs: null,
  running: null,
  workersAlive: null,
};

/** What waits, and what happened in each of the last hours. */
export interface FiguresAndHours {
  readonly figures: OverviewFigures;
  /** Null without the right. */
  readonly hours: SystemStatus['hours'];
}

/**
 * Reads the figures. For some partners, reads each of their keys; otherwise, the cost does not grow with the backlog.
 * @param options - how many hours to read.
 */
export async function readFigures(
  gate: Gate,
  options: { readonly hours?: number },
): Promise<FiguresAndHours> {
  if (!gate.isForAllPartners) return { figures: await readOfKeys(gate), hours: null };
  if (!gate.may('system:read')) return { figures: await readAll(gate), hours: null };
  const status = await gate.call('system.status', options);
  return { figures: toFigures(status), hours: status.hours };
}

function toFigures(status: SystemStatus): OverviewFigures {
  const { at, deliveries: backlog, endpoints, inbox, runningOperations, workers } = status;
  return {
    counts: backlog,
    slowed: endpoints.slowed,
    inbox,
    inboxLagMs: inbox.oldestUnreadAt === null ? null : Math.max(0, at - inbox.oldestUnreadAt),
    running: runningOperations,
    workersAlive: workers.filter(({ isAlive }) => isAlive).length,
    isSilent: !status.deployment.isSending,
  };
}

async function readAll(gate: Gate): Promise<OverviewFigures> {
  const [counts, running] = await Promise.all([
    gate.may('deliveries:read') ? gate.call('deliveries.count', {}) : null,
    gate.may('operations:read')
      ? gate.call('operations.list', { state: 'running', limit: MOST_OPERATIONS })
      : null,
  ]);
  return {
    ...NOTHING,
    counts: counts?.overall ?? null,
    running: running?.items.length ?? null,
  };
}

/** The inbox, the operations and the workers belong to no single partner. */
async function readOfKeys(gate: Gate): Promise<OverviewFigures> {
  if (!gate.may('deliveries:read')) return NOTHING;
  const keys = await listKeysInScope(gate);
  const counts = await Promise.all(keys.map(({ key }) => gate.call('deliveries.count', { keyId: key.id })));
  return { ...NOTHING, counts: sumCounts(counts) };
}

function sumCounts(each: readonly DeliveryCounts[]): NonNullable<OverviewFigures['counts']> {
  const all = each.map(({ overall }) => overall);
  const sum = (name: 'due' | 'scheduled' | 'paused' | 'dead') =>
    all.reduce((total, one) => total + one[name], 0);
  const ages = all.flatMap(({ oldestDueMs }) => oldestDueMs ?? []);
  return {
    due: sum('due'),
    scheduled: sum('scheduled'),
    paused: sum('paused'),
    dead: sum('dead'),
    oldestDueMs: ages.length === 0 ? null : Math.max(...ages),
    isExact: all.every(({ isExact }) => isExact),
  };
}

/** How many partners have failing endpoints, of all partners. */
export interface FailingPartners {
  readonly failing: number;
  readonly isExact: boolean;
  /** Null without the right to list partners. */
  readonly all: number | null;
  readonly isAllExact: boolean;
}

/** Counts partners, up to a bound. Null without the right to see endpoints. */
export async function countPartners(
  gate: Gate,
  failing: Page<EndpointReport> | null,
): Promise<FailingPartners | null> {
  if (failing === null) return null;
  const { items: rows, nextCursor: more } = failing;
  const counted = { failing: new Set(rows.map(({ partnerId }) => partnerId)).size, isExact: more === null };
  const { partnerIds } = gate.actor;
  if (partnerIds !== 'all') return { ...counted, all: partnerIds.length, isAllExact: true };
  // The sentence needs the number only if a partner fails.
  if (rows.length === 0 || !gate.may('partners:read')) return { ...counted, all: null, isAllExact: true };
  const { items, nextCursor } = await gate.call('partners.list', { limit: MOST_PARTNERS });
  return { ...counted, all: items.length, isAllExact: nextCursor === null };
}

/** Lists the first failing endpoints, the longest failing first. Null without the right. */
export async function listFailing(gate: Gate): Promise<Page<EndpointReport> | null> {
  return gate.may('endpoints:read') ? listFailingRows(gate, { limit: MOST_FAILING }) : null;
}
