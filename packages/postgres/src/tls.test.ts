import { createAuthority, createSelfSigned } from '@partner-hiring/test-support/network/self-signed';
import { expect, it } from 'vitest';
import { readHosts } from './connection-string.js';
import { createPostgresStorage, type PostgresStorageOptions } from './create-postgres-storage.js';
import { readTls, withoutTlsParameters } from './tls.js';

it.each([
  ['postgres://a@db/x?sslmode=require', 'postgres://a@db/x'],
  ['postgres://a@db/x?sslmode=require&application_name=x', 'postgres://a@db/x?application_name=x'],
  ['postgres://a@db/x?application_name=x&sslmode=require', 'postgres://a@db/x?application_name=x'],
  ['postgres://a@db/x?ssl=true&sslrootcert=/a.pem&uselibpqcompat=true', 'postgres://a@db/x'],
  ['postgres://a@db/x?application_name=sslmode=x', 'postgres://a@db/x?application_name=sslmode=x'],
  ['postgres://a@db/x', 'postgres://a@db/x'],
])('the option `tls` replaces the parameters of %s', (given, left) => {
  expect(withoutTlsParameters(given)).toBe(left);
});

it('each of several hosts gets the option', () => {
  const { addresses, ssl } = readHosts('postgres://a@db1,db2/x?sslmode=disable', true);
  expect(addresses).toEqual(['postgres://a@db1/x', 'postgres://a@db2/x']);
  expect(ssl).toBe(true);
});

it('without the option, the connection string decides', () => {
  const { addresses, ssl } = readHosts('postgres://a@db/x?sslmode=disable');
  expect(addresses).toEqual(['postgres://a@db/x?sslmode=disable']);
  expect(ssl).toBeUndefined();
  expect([readTls(true), readTls(false), readTls({})]).toEqual([true, false, {}]);
});

/** No server listens here. */
const connectionString = 'postgres://app@127.0.0.1:1/none';
const authority = await createAuthority();

it.each([
  ['the path of a file', { ca: '/etc/ca.pem' }, /`tls\.ca` must be the text of the certificate/],
  ['escaped line breaks', { ca: authority.cert.replaceAll('\n', String.raw`\n`) }, /line breaks/],
  [
    'a certificate without its key',
    { cert: (await createSelfSigned(['x'])).cert },
    /`tls\.cert` and `tls\.key` together/,
  ],
  ['an unknown name', { cafile: 'x' }, /cafile/],
])('an option with %s is refused', async (_, tls, says) => {
  const opened = createPostgresStorage({
    connectionString,
    tls,
  } as PostgresStorageOptions);
  await expect(opened).rejects.toMatchObject({
    code: 'MISCONFIGURED',
    message: expect.stringMatching(says),
  });
});

it.each([
  [
    'a missing file',
    'sslrootcert=/nowhere/ca.pem',
    /\/nowhere\/ca\.pem, which `sslrootcert` .* cannot be read/,
  ],
  ['a name that only libpq knows', 'sslrootcert=system', /does not know `sslrootcert=system`/],
])('a connection string with %s is refused', async (_, parameter, says) => {
  const opened = createPostgresStorage({ connectionString: `${connectionString}?${parameter}` });
  await expect(opened).rejects.toMatchObject({
    code: 'MISCONFIGURED',
    message: expect.stringMatching(says),
  });
});
