import { expect, test } from 'vitest';
import type { CheckInput } from '../check.js';
import { SCHEMA } from './schema.js';

test('on a standby, the check of the schema is skipped', async () => {
  const rows = async (sql: string) =>
    sql.includes('pg_is_in_recovery')
      ? [{ standby: 1, allowed: 1, role: 'app', name: 'hiring' }]
      : [{ version: 1 }];
  const database = { kind: 'postgres', prefix: '"ph".', rows } as unknown as CheckInput['database'];
  expect(await SCHEMA.run({ database } as CheckInput)).toEqual({
    state: 'skipped',
    finding: 'Not compared, because a standby can create no tables.',
    fix: 'Run the doctor on the primary.',
  });
});
