import type {
  Endpoint,
  EndpointFailure,
  EndpointHealth,
  EndpointState,
  Holding,
  KeyId,
  LeasedEndpoint,
  PauseReason,
  SealedSigningSecret,
} from '@partner-hiring/core/ports';
import type { Columns } from '../dialect.js';
import type { EndpointTable } from '../schema.js';

/** The columns of an endpoint except its lease and its watermark. */
export type EndpointRow = Omit<EndpointTable, 'watermark' | 'lease_token' | 'lease_until' | 'leased_at'>;

/** The columns that a delivery attempt changes. */
export type ProgressRow = Omit<EndpointRow, 'key_id' | 'url' | 'secrets' | 'created_at' | 'resumed_at'>;

export function fromEndpoint(endpoint: Endpoint): EndpointRow {
  return {
    key_id: endpoint.keyId,
    url: endpoint.url,
    ...fromProgress(endpoint),
    secrets: JSON.stringify(endpoint.secrets),
    created_at: endpoint.createdAt,
    resumed_at: endpoint.resumedAt,
  };
}

export function fromProgress({ state, health }: Pick<Endpoint, 'state' | 'health'>): ProgressRow {
  return {
    state: state.kind,
    paused_reason: state.kind === 'paused' ? state.reason : null,
    paused_at: state.kind === 'paused' ? state.pausedAt : null,
    consecutive_failures: health.consecutiveFailures,
    first_failure_at: health.firstFailureAt,
    last_success_at: health.lastSuccessAt,
    last_failure: health.lastFailure === null ? null : JSON.stringify(health.lastFailure),
    failing_warned_at: health.failingWarnedAt,
    pause_warned_at: health.pauseWarnedAt,
    warn_at: health.nextWarningAt,
  };
}

export function toEndpoint(row: EndpointRow): Endpoint {
  return {
    keyId: row.key_id,
    url: row.url,
    state: toState(row),
    health: toHealth(row),
    secrets: JSON.parse(row.secrets) as SealedSigningSecret[],
    createdAt: row.created_at,
    resumedAt: row.resumed_at,
  };
}

/** During a rolling deploy, an older release leaves the columns of earlier failures as they are. */
function toHealth(row: EndpointRow): EndpointHealth {
  const { first_failure_at: firstFailureAt } = row;
  const ofThese = (at: number | null) =>
    firstFailureAt !== null && at !== null && at >= firstFailureAt ? at : null;
  return {
    consecutiveFailures: row.consecutive_failures,
    firstFailureAt,
    lastSuccessAt: row.last_success_at,
    lastFailure:
      firstFailureAt === null || row.last_failure === null
        ? null
        : (JSON.parse(row.last_failure) as EndpointFailure),
    failingWarnedAt: ofThese(row.failing_warned_at),
    pauseWarnedAt: ofThese(row.pause_warned_at),
    nextWarningAt: firstFailureAt === null ? null : row.warn_at,
  };
}

export function toLeasedEndpoint(row: EndpointTable): LeasedEndpoint {
  return { endpoint: toEndpoint(row), watermark: row.watermark };
}

function toState(row: EndpointRow): EndpointState {
  if (row.state === 'active') return { kind: 'active' };
  // A check constraint ensures that a paused endpoint has a reason and a time.
  return { kind: 'paused', reason: row.paused_reason as PauseReason, pausedAt: row.paused_at as number };
}

export interface HoldingItem {
  readonly key_id: KeyId;
  readonly token: string;
}

export const HOLDING_COLUMNS: Columns<HoldingItem> = { key_id: 'text', token: 'text' };

export function toHoldingItem({ keyId, token }: Holding): HoldingItem {
  return { key_id: keyId, token };
}
