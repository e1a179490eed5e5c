const encoder = new TextEncoder();

/** HMAC-SHA256 in lowercase hex. In Node, `hmac.node.ts` replaces this. Contract: 11.4. */
export async function hmac(secret: string, input: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const { subtle } = crypto;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const digest = new Uint8Array(
    await subtle.sign('HMAC', key, typeof input === 'string' ? encoder.encode(input) : input),
  );
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
