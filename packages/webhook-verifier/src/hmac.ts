const encoder = new TextEncoder();

/**
 * HMAC-SHA256 of a text under the whole secret, both as UTF-8, in lowercase hex. By WebCrypto, which all runtimes
 * have; what is built for Node has `hmac.node.ts` in place of this file. Spec: Signature verification, 3.
 */
export async function hmac(secret: string, input: string): Promise<string> {
  const { subtle } = crypto;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const digest = new Uint8Array(await subtle.sign('HMAC', key, encoder.encode(input)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
