import { generate, type SelfsignedOptions } from 'selfsigned';

/** A certificate and its key. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Creates a self-signed certificate for DNS names, valid from yesterday to `expiresAt`. */
export function createSelfSigned(names: readonly string[], expiresAt?: Date): Promise<TestCertificate> {
  return certificate(names, expiresAt);
}

/** A private authority. */
export interface TestAuthority {
  /** Its own certificate. A client that has it trusts the certificates that it signs. */
  readonly cert: string;
  /** Signs a certificate for DNS names, valid from yesterday to `expiresAt`. */
  issue(names: readonly string[], expiresAt?: Date): Promise<TestCertificate>;
}

/** Creates a private authority, which no machine knows. */
export async function createAuthority(): Promise<TestAuthority> {
  const extensions = [{ name: 'basicConstraints', cA: true, critical: true } as const];
  const ca = await certificate(['Test Authority'], undefined, { extensions });
  return { cert: ca.cert, issue: (names, expiresAt) => certificate(names, expiresAt, { ca }) };
}

const DAY_MS = 86_400_000;

async function certificate(
  names: readonly string[],
  notAfterDate = new Date(Date.now() + DAY_MS),
  options: SelfsignedOptions = {},
): Promise<TestCertificate> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: names[0] }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Math.min(Date.now(), notAfterDate.getTime()) - DAY_MS),
    notAfterDate,
    extensions: [{ name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) }],
    ...options,
  });
  return { cert, key };
}
