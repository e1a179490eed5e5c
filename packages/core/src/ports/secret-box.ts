import type { KeyId } from '../domain/ids.js';

/**
 * The purpose and the owner of a secret. An encrypted secret can be decrypted only with the same context.
 */
export interface SecretContext {
  readonly purpose: 'webhook_signing_secret';
  readonly keyId: KeyId;
}

/**
 * Encrypts signing secrets. Its methods are synchronous, so fetch keys before you call `createPartnerHiring`.
 */
export interface SecretBox {
  /** Encrypts the secret. Two calls with the same secret return different texts. */
  seal(secret: string, context: SecretContext): string;
  /**
   * Decrypts the text. Throws if the text was changed, or was encrypted with another key or another context.
   */
  open(sealed: string, context: SecretContext): string;
}
