/** Seals signing secrets for storage, under a key that the host keeps elsewhere. */
export interface SecretBox {
  /** The sealed text, safe to store. Sealing twice gives two texts. */
  seal(secret: string): string;
  /** The secret again. Throws if the text was not sealed by this box's key, or was changed. */
  open(sealed: string): string;
}
