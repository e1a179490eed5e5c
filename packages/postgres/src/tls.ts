import { X509Certificate } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import {
  checkStorageOptionNames,
  type StorageOptionNames,
  storageMisconfiguration,
} from '@partner-hiring/storage-kysely';

/** How to check and encrypt the connection to the server. */
export interface PostgresTls {
  /**
   * The certificate of the authority that signed the server's certificate, as PEM. Default: the authorities that Node
   * knows.
   */
  readonly ca?: string | Buffer | readonly (string | Buffer)[] | undefined;
  /** The certificate of the client as PEM, if the server requires one. */
  readonly cert?: string | Buffer | undefined;
  /** The private key of `cert` as PEM. */
  readonly key?: string | Buffer | undefined;
  /** The name in the server's certificate, if it differs from the host, for example behind a tunnel. */
  readonly servername?: string | undefined;
  /** `false` accepts every certificate, so that anyone on the network can read along. Default true. */
  readonly rejectUnauthorized?: boolean | undefined;
}

const OPTIONS: StorageOptionNames<PostgresTls> = {
  ca: true,
  cert: true,
  key: true,
  servername: true,
  rejectUnauthorized: true,
};

/** Returns the option `ssl` of `pg`. Undefined leaves TLS to the connection string. */
export function readTls(tls: boolean | PostgresTls | undefined): boolean | ConnectionOptions | undefined {
  if (tls === undefined || typeof tls === 'boolean') return tls;
  if (typeof tls !== 'object' || tls === null)
    throw storageMisconfiguration('`tls` must be true, false or an object.');
  checkStorageOptionNames('createPostgresStorage', tls, OPTIONS, 'tls');
  const { ca, cert, key, servername, rejectUnauthorized } = tls;
  for (const each of [ca ?? []].flat()) assertCertificate('tls.ca', each);
  if (cert !== undefined) assertCertificate('tls.cert', cert);
  if ((cert === undefined) !== (key === undefined))
    throw storageMisconfiguration('Pass `tls.cert` and `tls.key` together.');
  if (rejectUnauthorized !== undefined && typeof rejectUnauthorized !== 'boolean') {
    throw storageMisconfiguration('`tls.rejectUnauthorized` must be true or false.');
  }
  return {
    ...(ca === undefined ? {} : { ca: [ca].flat() }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
    // `pg` replaces `servername` by the host.
    ...(servername === undefined
      ? {}
      : { checkServerIdentity: (_host, certificate) => checkServerIdentity(servername, certificate) }),
  };
}

function assertCertificate(name: string, pem: unknown): void {
  try {
    new X509Certificate(pem as string);
  } catch {
    const form = '-----BEGIN CERTIFICATE-----';
    const isPem = String(pem).includes(form);
    throw storageMisconfiguration(
      isPem
        ? `\`${name}\` is not a certificate. If it comes from an environment variable, its line breaks may have become \`\\n\`.`
        : `\`${name}\` must be the text of the certificate, which begins with ${form}. To pass a file, read it first.`,
    );
  }
}

/**
 * The parameters of a connection string that `tls` replaces. If they stayed, `pg` would follow them and ignore `tls`.
 */
const PARAMETERS = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat'];
const OF_TLS = new RegExp(`(?<=[?&])(?:${PARAMETERS.join('|')})=[^&#]*&?`, 'gi');

export function withoutTlsParameters(connectionString: string): string {
  return connectionString.replace(OF_TLS, '').replace(/[?&]$/, '');
}

/** Throws if a file of certificates that the connection string names cannot be read. */
export function assertCertificateFiles(connectionString: string): void {
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(connectionString)?.[1] ?? '');
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = parameters.get(name);
    if (file === null || file === '') continue;
    if (file === 'system') {
      throw storageMisconfiguration(
        `pg does not know \`${name}=system\` of the connectionString. Remove it: Node's authorities are the default.`,
      );
    }
    try {
      accessSync(file, constants.R_OK);
    } catch {
      throw storageMisconfiguration(
        `The file ${file}, which \`${name}\` of the connectionString names, cannot be read. Correct the path, or let this user read it.`,
      );
    }
  }
}
