import type { PartnerOfKey } from '../../domain/failing-endpoint.js';
import type { CompanyId, JobId, KeyId, PartnerId } from '../../domain/ids.js';
import type { KeySecret, Partner, PartnerKey } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';

/** A part of a list: at most `limit` rows behind a position. */
export interface ListPage<Position> {
  /** Null for the first page. */
  readonly after: Position | null;
  /** At most 1001. */
  readonly limit: number;
}

/** The row after which a list continues. Such lists begin with the oldest row. */
export interface AgePosition<Id extends string> {
  readonly createdAt: Instant;
  readonly id: Id;
}

/** The key after which a list continues. */
export type KeyPosition = Pick<PartnerKey, 'partnerId' | 'environment'>;

/** The result of an insert. `exists` means that a unique constraint refused it. */
export type Added = 'added' | 'exists';

/** A page of partners. */
export interface PartnerPage extends ListPage<AgePosition<PartnerId>> {
  /** Whether to list the removed partners instead of the others. */
  readonly removed?: boolean;
}

/** Stores partners. */
export interface PartnerRepository {
  /** Adds an enabled partner. */
  add(partner: Pick<Partner, 'id' | 'name' | 'createdAt'>): Promise<Added>;
  find(id: PartnerId): Promise<Partner | null>;
  findMany(ids: readonly PartnerId[]): Promise<readonly (Partner | null)[]>;
  /**
   * Locks the partner's row until the transaction ends, so that commands that change the partner or add a key run one at
   * a time. Lock the partner before its keys.
   */
  findForUpdate(id: PartnerId): Promise<Partner | null>;
  /** Replaces the name, the contact, `disabledAt` and `removedAt`. */
  save(partner: Partner): Promise<void>;
  /** Lists partners, oldest first. Without a page, lists all. */
  list(page?: PartnerPage): Promise<readonly Partner[]>;
}

/** A secret and its key. */
export interface KeyOfSecret {
  readonly key: PartnerKey;
  readonly secret: KeySecret;
  /** Since when the key's partner is disabled. Null if it is not. */
  readonly disabledAt: Instant | null;
  /** When the secret was read. The caller checks whether the secret was expired at this instant. */
  readonly readAt: Instant;
}

/** Stores keys and the hashes of their secrets. */
export interface KeyRepository {
  /**
   * Adds a key with the usual limits, and its feed head, which starts at `createdAt`. Returns `exists` if the partner
   * already has a key in the environment.
   */
  add(key: Omit<PartnerKey, 'loweredLimits'>, options?: { readonly recordsEvents: boolean }): Promise<Added>;
  find(id: KeyId): Promise<PartnerKey | null>;
  /** Locks the key's row until the transaction ends, so that commands on a key run one at a time. */
  findForUpdate(id: KeyId): Promise<PartnerKey | null>;
  /**
   * Lists keys by partner, production keys first. A null `partnerId` means all partners. Without a page, lists
   * all.
   */
  list(partnerId: PartnerId | null, page?: ListPage<KeyPosition>): Promise<readonly PartnerKey[]>;
  /** Replaces `loweredLimits`. */
  saveLimits(keys: readonly Pick<PartnerKey, 'id' | 'loweredLimits'>[]): Promise<void>;
  addSecret(secret: KeySecret): Promise<void>;
  /** Replaces `expiresAt` and `revokedAt`. */
  saveSecrets(secrets: readonly KeySecret[]): Promise<void>;
  /** Lists secrets, newest first, including ended ones. */
  listSecrets(keyId: KeyId): Promise<readonly KeySecret[]>;
  /** Lists the secrets of each key, like `listSecrets`. */
  listSecretsEach(keyIds: readonly KeyId[]): Promise<readonly (readonly KeySecret[])[]>;
  /** Lists at most `limit` keys, in any order, that have or had a secret with these last four characters. */
  listByLastFour(lastFour: string, limit: number): Promise<readonly PartnerKey[]>;
  /** Includes ended secrets. */
  findByHashes(hashes: readonly string[]): Promise<readonly (KeyOfSecret | null)[]>;
  /**
   * Records when secrets were last used. It skips locked rows and ended secrets. A power failure may lose the
   * change.
   */
  touchSecrets(hashes: readonly string[], at: Instant): Promise<void>;
}

/** `whole`: those that are equal to a text. `longer`: those that begin like it, and are longer. */
export type TextMatch = 'whole' | 'longer';

/** Selects names by a word of them, in the form that `nameWords` returns. */
export interface NamesByWord {
  readonly word: string;
  readonly match: TextMatch;
  readonly limit: number;
}

/** A word of an object's name. */
export interface NamedMatch<Id extends string> {
  readonly id: Id;
  readonly word: string;
}

/**
 * Finds the names that lists show beside ids, and objects by a word of their name. A look-up by word returns at most
 * `limit` rows, in any order: for `whole`, those with the greatest ids. A name with several such words has several rows.
 */
export interface NameRepository {
  partnersBy(by: NamesByWord): Promise<readonly NamedMatch<PartnerId>[]>;
  companiesBy(by: NamesByWord): Promise<readonly NamedMatch<CompanyId>[]>;
  jobsBy(by: NamesByWord): Promise<readonly NamedMatch<JobId>[]>;
  ofKeys(ids: readonly KeyId[]): Promise<readonly (PartnerOfKey | null)[]>;
  ofCompanies(ids: readonly CompanyId[]): Promise<readonly (string | null)[]>;
  ofJobs(ids: readonly JobId[]): Promise<readonly (string | null)[]>;
}
