import type {
  Endpoint,
  EndpointState,
  Holding,
  KeyId,
  LeasedEndpoint,
  PauseReason,
  SealedSigningSecret,
} from '@partner-hiring/core/ports';
import type { Columns } from '../dialect.js';
import type { EndpointTable } from '../schema.js';

/** The columns without lease and watermark. */
export type EndpointRow = Omit<EndpointTable, 'watermark' | 'lease_token' | 'lease_until' | 'leased_at'>;

/** The columns that attempts change. */
export type ProgressRow = Omit<EndpointRow, 'key_id' | 'url' | 'secrets' | 'created_at'>;

export function fromEndpoint(endpoint: Endpoint): EndpointRow {
  return {
    key_id: endpoint.keyId,
    url: endpoint.url,
    ...fromProgress(endpoint),
    secrets: JSON.stringify(endpoint.secrets),
    created_at: endpoint.createdAt,
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
  };
}

export function toEndpoint(row: EndpointRow): Endpoint {
  return {
    keyId: row.key_id,
    url: row.url,
    state: toState(row),
    health: {
      consecutiveFailures: row.consecutive_failures,
      firstFailureAt: row.first_failure_at,
      lastSuccessAt: row.last_success_at,
    },
    secrets: JSON.parse(row.secrets) as SealedSigningSecret[],
    createdAt: row.created_at,
  };
}

export function toLeasedEndpoint(row: EndpointTable): LeasedEndpoint {
  return { endpoint: toEndpoint(row), watermark: row.watermark };
}

function toState(row: EndpointRow): EndpointState {
  if (row.state === 'active') return { kind: 'active' };
  // A check constraint ensures that a paused endpoint has both.
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
