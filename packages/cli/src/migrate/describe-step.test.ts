import { expect, test } from 'vitest';
import { describePostgresStep } from './describe-step.js';

test.each([
  ['create index concurrently a\n  on b (c);', true, 'builds a: b can be read and written meanwhile'],
  ['create unique index concurrently a on b (c);', true, 'builds a: b can be read and written meanwhile'],
  ['drop index concurrently a;', true, 'drops a: its table can be read and written meanwhile'],
  ['-- New.\ncreate table a (b text);\ncreate index c on a (b);', true, 'creates a'],
  ['create index a on b (c);', false, 'builds a: writers of b wait'],
  ['alter table a\n  add column b text;', false, 'changes a: its readers and writers wait for a moment'],
  [
    'alter table a validate constraint b;',
    true,
    'checks the rows of a, which can be read and written meanwhile',
  ],
  ['insert into a values (1);', true, 'writes rows of a'],
  ['vacuum full a;', false, 'runs `vacuum full a`'],
])('%j is online: %s', (sql, isOnline, effect) => {
  expect(describePostgresStep(sql)).toEqual({ isOnline, effect });
});
