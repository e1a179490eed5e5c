/** A key service that keeps what it encrypts. */
const known = new Map<string, string>();

export const keyService = {
  async encrypt(secret: string, { keyId }: { readonly keyId: string }): Promise<string> {
    const text = `${keyId}-${known.size}`;
    known.set(text, secret);
    return text;
  },
  async decrypt(text: string, { keyId }: { readonly keyId: string }): Promise<string> {
    const secret = known.get(text);
    if (secret === undefined || !text.startsWith(keyId)) throw new Error('Access denied.');
    return secret;
  },
};
