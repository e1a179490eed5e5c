import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { placeOfAddress, resolveAddress } from './address.js';

test.each([
  ['postgres://app:s3cret@db.internal:5432/hiring?sslmode=verify-full', 'db.internal:5432/hiring'],
  ['postgresql://app:s3@cret@db1:5432,db2:5432/hiring', 'db1:5432,db2:5432/hiring'],
  ['postgres://db/hiring?password=s3cret', 'db/hiring'],
])('%s is shown without user, password and parameters', (database, place) => {
  for (const address of [database, { kind: 'postgres', connectionString: database } as const]) {
    expect(placeOfAddress(resolveAddress(address))).toBe(place);
  }
});

test.each([
  'postgres://db/hiring?user=a@b&password=s3cret',
  'postgresql://app:s3cret/x@db/hiring',
  '"postgres://app:s3cret@db/hiring"',
])('%s is refused without being repeated', (database) => {
  const addresses = [
    database,
    { kind: 'postgres', connectionString: database },
    { kind: 'sqlite', file: database },
  ] as const;
  for (const address of addresses) {
    const resolved = resolveAddress(address);
    expect(resolved).toMatchObject({ kind: 'refused', problem: expect.stringContaining('The database ') });
    expect(JSON.stringify(resolved) + placeOfAddress(resolved)).not.toContain('s3cret');
  }
});

test('an address of one kind is not taken for the other', () => {
  expect(resolveAddress({ kind: 'sqlite', file: 'postgres://app@db/x' })).toMatchObject({ kind: 'refused' });
  expect(resolveAddress({ kind: 'postgres', connectionString: 'x.sqlite' })).toMatchObject({
    kind: 'refused',
  });
});

test('an address that is no URL is a file', () => {
  expect(resolveAddress('data/app.sqlite')).toEqual({ kind: 'sqlite', file: resolve('data/app.sqlite') });
  expect(resolveAddress('postgres://db/hiring')).toMatchObject({ schema: 'partner_hiring' });
  expect(resolveAddress('postgres://db/hiring', 'mine')).toMatchObject({ schema: 'mine' });
});
