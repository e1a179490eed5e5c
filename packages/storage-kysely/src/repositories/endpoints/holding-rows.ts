import type { Holding, KeyId } from '@partner-hiring/core/ports';
import type { Columns } from '../../dialect.js';

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
