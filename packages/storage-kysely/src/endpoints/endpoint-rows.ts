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

/** What the domain knows of an endpoint: all but lease and watermark. */
export type EndpointRow = Omit<EndpointTable, 'watermark' | 'lease_token' | 'lease_until' | 'leased_at'>;

/** What attempts change of it. */
export type ProgressRow = Omit<EndpointRow, 'key_id' | 'url' | 'secrets' | 'created_at'>;

/** An endpoint as a row. */
export function fromEndpoint(endpoint: Endpoint): EndpointRow {
  return {
    key_id: endpoint.keyId,
    url: endpoint.url,
    ...fromProgress(endpoint),
    secrets: JSON.stringify(endpoint.secrets),
    created_at: endpoint.createdAt,
  };
}

/** State and health as columns. */
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

/** A row as an endpoint. */
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

/** A row as a worker holds it. */
export function toLeasedEndpoint(row: EndpointTable): LeasedEndpoint {
  return { endpoint: toEndpoint(row), watermark: row.watermark };
}

function toState(row: EndpointRow): EndpointState {
  if (row.state === 'active') return { kind: 'active' };
  // A check constraint: a paused endpoint has both.
  return { kind: 'paused', reason: row.paused_reason as PauseReason, pausedAt: row.paused_at as number };
}

/** An endpoint, and the token of who holds it. */
export interface HoldingItem {
  readonly key_id: KeyId;
  readonly token: string;
}

/** The columns of a holding. */
export const HOLDING_COLUMNS: Columns<HoldingItem> = { key_id: 'text', token: 'text' };

/** A holding as an item of a batch. */
export function toHoldingItem({ keyId, token }: Holding): HoldingItem {
  return { key_id: keyId, token };
}
