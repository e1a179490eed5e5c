import { expect, it } from 'vitest';
import { readHosts } from './hosts.js';
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
