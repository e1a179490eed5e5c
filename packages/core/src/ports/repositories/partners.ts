import type { PartnerId } from '../../domain/ids.js';
import type { Partner } from '../../domain/partner-key.js';
import type { Added } from './added.js';

/** Who was let in. */
export interface PartnerRepository {
  add(partner: Partner): Promise<Added>;
  find(id: PartnerId): Promise<Partner | null>;
  /** All partners, oldest first. */
  list(): Promise<readonly Partner[]>;
}
