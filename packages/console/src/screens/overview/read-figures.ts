import type { DeliveryCounts, FailingEndpoint, InboxStatus } from '@partner-hiring/core';
import type { BacklogCounts, KeyId } from '@partner-hiring/core/ports';
import type { Gate } from '../../gate/gate.js';
import { listKeysInScope } from '../../gate/keys-in-scope.js';

/** What is waiting, failing and unread, as far as the actor may see. Null for a part without the right. */
export interface OverviewFigures {
  readonly counts: Pick<
    BacklogCounts,
    'due' | 'scheduled' | 'paused' | 'dead' | 'oldestDueMs' | 'isExact'
  > | null;
  readonly failing:
    | readonly Pick<
        FailingEndpoint,
        | 'keyId'
        | 'partnerName'
        | 'environment'
        | 'failingSince'
        | 'attempts'
        | 'waiting'
        | 'state'
        | 'isExact'
      >[]
    | null;
  readonly inbox: InboxStatus | null;
  readonly running: number | null;
}

const MOST_FAILING = 20;
const MOST_OPERATIONS = 100;

/** Reads the figures. For some partners, reads each of their keys. */
export async function readFigures(gate: Gate): Promise<OverviewFigures> {
  return gate.isForAllPartners ? readAll(gate) : readOfKeys(gate);
}

async function readAll(gate: Gate): Promise<OverviewFigures> {
  const [counts, failing, inbox, running] = await Promise.all([
    gate.may('deliveries:read') ? gate.call('deliveries.counts', {}) : null,
    gate.may('endpoints:read') ? gate.call('endpoints.listFailing', { limit: MOST_FAILING }) : null,
    gate.may('inbox:read') ? gate.call('inbox.status', undefined) : null,
    gate.may('operations:read')
      ? gate.call('operations.list', { state: 'running', limit: MOST_OPERATIONS })
      : null,
  ]);
  return {
    counts: counts?.overall ?? null,
    failing: failing?.endpoints ?? null,
    inbox,
    running: running?.operations.length ?? null,
  };
}

/** The inbox and the operations belong to no single partner. */
async function readOfKeys(gate: Gate): Promise<OverviewFigures> {
  const { keys } = await listKeysInScope(gate);
  const counts = gate.may('deliveries:read')
    ? await Promise.all(keys.map(({ key }) => gate.call('deliveries.counts', { keyId: key.id })))
    : null;
  const failing = gate.may('endpoints:read')
    ? await Promise.all(
        keys.map(({ key, partnerName }) => findFailing(gate, key.id, partnerName, key.environment)),
      )
    : null;
  return {
    counts: counts === null ? null : sumCounts(counts),
    failing: failing === null ? null : failing.flatMap((one) => one ?? []),
    inbox: null,
    running: null,
  };
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

async function findFailing(
  gate: Gate,
  keyId: KeyId,
  partnerName: string,
  environment: FailingEndpoint['environment'],
): Promise<NonNullable<OverviewFigures['failing']>[number] | null> {
  const report = await gate.call('endpoints.health', { keyId });
  const since = report?.endpoint.health.firstFailureAt ?? null;
  if (report === null || since === null) return null;
  const { endpoint, counts } = report;
  return {
    ...{
      keyId,
      partnerName,
      environment,
      failingSince: since,
      state: endpoint.state,
      isExact: counts.isExact,
    },
    attempts: endpoint.health.consecutiveFailures,
    waiting: counts.due + counts.scheduled + counts.paused,
  };
}
