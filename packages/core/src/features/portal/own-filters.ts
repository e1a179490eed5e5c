import type { KeyId } from '../../domain/ids.js';
import type { PageOptions } from '../../operator/page-cursor.js';
import type { PortalDelivery } from './own-rows.js';

/** Selects requests of the partner, newest first. */
export interface PortalRequestFilter extends PageOptions {
  readonly keyId?: KeyId | undefined;
  readonly onlyErrors?: boolean | undefined;
}

/** Selects deliveries of a key. */
export interface PortalDeliveryFilter extends PageOptions {
  /** `mended`: delivered after a failure, or resent. */
  readonly state?: PortalDelivery['state'] | 'mended' | undefined;
}

/** Selects applications of a key, newest first. */
export interface PortalApplicationFilter extends PageOptions {
  readonly keyId: KeyId;
  /** The partner's own id, exactly. */
  readonly sourceApplicationId?: string | undefined;
}
