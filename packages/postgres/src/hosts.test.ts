import { expect, it } from 'vitest';
import { readHosts } from './connection-string.js';

it.each([
  ['postgres://u:p@a:1/db', ['postgres://u:p@a:1/db'], 'any'],
  ['postgres://u:p@a:1,b:2/db', ['postgres://u:p@a:1/db', 'postgres://u:p@b:2/db'], 'read-write'],
  ['postgresql://a,b', ['postgresql://a', 'postgresql://b'], 'read-write'],
  [
    'postgres://u:p,q@[::1]:1,b/db?sslmode=disable&target_session_attrs=primary',
    [
      'postgres://u:p,q@[::1]:1/db?sslmode=disable&target_session_attrs=primary',
      'postgres://u:p,q@b/db?sslmode=disable&target_session_attrs=primary',
    ],
    'primary',
  ],
  [
    'postgres://a,b/db?target_session_attrs=any',
    ['postgres://a/db?target_session_attrs=any', 'postgres://b/db?target_session_attrs=any'],
    'any',
  ],
  [
    'postgres://a/db?target_session_attrs=read-write',
    ['postgres://a/db?target_session_attrs=read-write'],
    'read-write',
  ],
  ['postgres://u:p,q@a/db?options=-c%20a=b,c', ['postgres://u:p,q@a/db?options=-c%20a=b,c'], 'any'],
])('%s names %j, of which one is %s', (connectionString, addresses, role) => {
  expect(readHosts(connectionString)).toEqual({ addresses, role });
});

it.each([
  ['postgres://u:secret@a,b/db?target_session_attrs=standby', /'standby'.*'read-write', 'primary' or 'any'/],
  ['postgres://u:secret@a/db?target_session_attrs=', /target_session_attrs/],
  ['postgres://u:secret@a,,b/db', /A host .* is empty/],
  ['postgres://u:secret@a,/db', /A host .* is empty/],
  ['postgres://u:secret@a,b:x/db', /pg cannot read the connectionString/],
  ['postgres://u:secret@/db?host=a,b', /in front of the database/],
])('%s is refused with the fix, and without the password', (connectionString, message) => {
  expect(() => readHosts(connectionString)).toThrow(
    expect.objectContaining({
      code: 'MISCONFIGURED',
      message: expect.stringMatching(message),
    }),
  );
  expect(() => readHosts(connectionString)).not.toThrow(/secret/);
});
