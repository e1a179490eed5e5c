import type { KeyId } from '../domain/ids.js';

/** The purpose and owner of a secret. A sealed secret opens only in the same context. */
export interface SecretContext {
  readonly purpose: 'webhook_signing_secret';
  readonly keyId: KeyId;
}

/** Encrypts signing secrets. Synchronous: fetch keys before you call `createPartnerHiring`. */
export interface SecretBox {
  /** Two calls return two different texts. */
  seal(secret: string, context: SecretContext): string;
  /** Throws if the text was changed, or sealed with another key or in another context. */
  open(sealed: string, context: SecretContext): string;
}
