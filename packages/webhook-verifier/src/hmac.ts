const encoder = new TextEncoder();

/**
 * Computes HMAC-SHA256 in lowercase hex with WebCrypto. The build for Node replaces this file with `hmac.node.ts`.
 * Spec: Signature verification, 3.
 */
export async function hmac(secret: string, input: string): Promise<string> {
  const { subtle } = crypto;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const digest = new Uint8Array(await subtle.sign('HMAC', key, encoder.encode(input)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
