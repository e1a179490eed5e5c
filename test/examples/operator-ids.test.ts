import { describe, expect, test } from 'vitest';
import { openOperator } from './open-operator.js';

describe('the operator command', () => {
  test("tells an id that is nobody's from one that has nothing", async () => {
    const { run } = await openOperator();
    for (const [commandLine, code] of [
      ['keys list --partner ptn_none', 'PARTNER_NOT_FOUND'],
      ['access list --key key_none', 'KEY_NOT_FOUND'],
      ['jobs list --company co_none', 'COMPANY_NOT_FOUND'],
      ['applications list --company co_none', 'COMPANY_NOT_FOUND'],
      ['applications list --job job_none', 'JOB_NOT_FOUND'],
      ['endpoints health key_none', 'KEY_NOT_FOUND'],
      ['deliveries list --key key_none', 'KEY_NOT_FOUND'],
      ['deliveries dead --key key_none', 'KEY_NOT_FOUND'],
      ['deliveries attempts key_none', 'KEY_NOT_FOUND'],
      ['deliveries show key_none evt_none', 'KEY_NOT_FOUND'],
    ] as const) {
      await expect(run(...commandLine.split(' ')), commandLine).rejects.toMatchObject({ code });
    }
  });

  test('says no more than is known of what has nothing', async () => {
    const { run, operator, seeded } = await openOperator();
    const attempts = 'No attempt is told of: none was made, or the first of each event went well.';
    expect((await run('deliveries', 'attempts', seeded.production.key.id)).text).toBe(attempts);
    const { id } = await operator.partners.add({ name: 'Globex' });
    expect((await run('keys', 'list', '--partner', id)).text).toContain(`${id} has no keys. Issue one`);
    const { key } = await operator.keys.issue({ partnerId: id, environment: 'production' });
    expect((await run('access', 'list', '--key', key.id)).text).toContain('No company ever let it in.');
  });
});
