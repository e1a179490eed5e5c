import type { KeyId } from '../domain/ids.js';

/** What a secret is for and whose it is: what names its place in the storage for good. */
export interface SecretContext {
  readonly purpose: 'webhook_signing_secret';
  /** The key whose endpoint signs with it. */
  readonly keyId: KeyId;
}

/**
 * Seals signing secrets for storage, under a key that the host keeps elsewhere. Both answer at once: the key of a key
 * service is fetched before `createPartnerHiring`.
 */
export interface SecretBox {
  /** The sealed text, safe to store, which opens in this context alone. Sealing twice gives two texts. */
  seal(secret: string, context: SecretContext): string;
  /**
   * The secret again. Throws if the text was not sealed by this box's key, was changed, or was sealed in another
   * context: whoever can write to the database must not move a secret to another endpoint.
   */
  open(sealed: string, context: SecretContext): string;
}
