import type { Holding, KeyId, LeasedEndpoint } from '@partner-hiring/core/ports';
import type { Columns, Row } from '../table.js';
import { ENDPOINTS } from '../tables/index.js';

/** The columns that the host changes too. */
export const SAVED_ENDPOINTS = ENDPOINTS.omit('watermark', 'leased_at', 'lease_token', 'lease_until');

/** The columns that a delivery attempt changes. */
export const PROGRESS = SAVED_ENDPOINTS.omit('key_id', 'url', 'secrets', 'created_at', 'resumed_at');

export function toLeasedEndpoint(row: Row<typeof ENDPOINTS>): LeasedEndpoint {
  return { endpoint: ENDPOINTS.toValue(row), watermark: row.watermark };
}

export interface HoldingItem {
  readonly key_id: KeyId;
  readonly token: string;
}

export const HOLDING_COLUMNS: Columns<HoldingItem> = { key_id: 'text', token: 'text' };

export function toHoldingItem({ keyId, token }: Holding): HoldingItem {
  return { key_id: keyId, token };
}
