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
export interface TestAuthority extends TestCertificate {
  /** Signs a certificate for DNS names, valid from yesterday or from `startsAt`, to `expiresAt`. */
  issue(names: readonly string[], expiresAt?: Date, startsAt?: Date): Promise<TestCertificate>;
  /** Signs the certificate of another authority. */
  issueAuthority(): Promise<TestAuthority>;
}

/** Creates a private authority, which no machine knows. A client that has its certificate trusts what it signs. */
export function createAuthority(name = 'Test Authority'): Promise<TestAuthority> {
  return authority(name);
}

async function authority(name: string, by?: TestCertificate): Promise<TestAuthority> {
  const extensions = [{ name: 'basicConstraints', cA: true, critical: true } as const];
  const signer = by === undefined ? {} : { ca: by };
  const ca = await certificate([name], undefined, { extensions, ...signer });
  return {
    ...ca,
    issue: (names, expiresAt, startsAt) =>
      certificate(names, expiresAt, { ca, ...(startsAt === undefined ? {} : { notBeforeDate: startsAt }) }),
    issueAuthority: () => authority(`${name} Branch`, ca),
  };
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
