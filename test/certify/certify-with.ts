import { type CertifyOptions, certify } from '@partner-hiring/certify';
import { RIGHT, type Rules, SECRET, startReceiver } from './receiver.js';

/** Certifies a receiver with one changed rule. */
export async function certifyWith(change: Partial<Rules>, options: Partial<CertifyOptions> = {}) {
  const url = await startReceiver({ ...RIGHT, ...change });
  return certify({ url, secret: SECRET, slowBodyMs: 80, ...options });
}

/** The codes of the findings in order. */
export function codesOf({ findings }: Awaited<ReturnType<typeof certify>>): readonly string[] {
  return findings.map(({ code }) => code);
}
