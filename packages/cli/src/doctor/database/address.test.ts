import { expect, test } from 'vitest';
import { placeOf, resolveAddress } from './address.js';

test.each([
  ['postgres://app:s3cret@db.internal:5432/hiring?sslmode=verify-full', 'db.internal:5432/hiring'],
  ['postgresql://app:s3@cret/x@db1:5432,db2:5432/hiring', 'db1:5432,db2:5432/hiring'],
  ['postgres://db/hiring?password=s3cret', 'db/hiring'],
  ['postgres://db/hiring?user=a@b&password=s3cret', 'b'],
])('%s is shown without user, password and parameters', (database, place) => {
  const shown = placeOf(resolveAddress(database));
  expect(shown).toBe(place);
  expect(shown).not.toContain('s3');
});

test('an address that is no URL is a file', () => {
  expect(resolveAddress('data/app.sqlite')).toEqual({ kind: 'sqlite', file: 'data/app.sqlite' });
  expect(resolveAddress('postgres://db/hiring')).toMatchObject({ schema: 'partner_hiring' });
  expect(resolveAddress('postgres://db/hiring', 'mine')).toMatchObject({ schema: 'mine' });
});
