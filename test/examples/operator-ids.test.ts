import { describe, expect, test } from 'vitest';
import { openOperator } from './open-operator.js';

describe('the operator command', () => {
  test('reports an unknown id instead of an empty list', async () => {
    const { run } = await openOperator();
    for (const [commandLine, code] of [
      ['keys list --partner ptn_none', 'PARTNER_NOT_FOUND'],
      ['access list --key key_none', 'KEY_NOT_FOUND'],
      ['jobs list --company co_none', 'COMPANY_NOT_FOUND'],
      ['applications list --company co_none', 'COMPANY_NOT_FOUND'],
      ['applications list --job job_none', 'JOB_NOT_FOUND'],
      ['endpoints show key_none', 'KEY_NOT_FOUND'],
      ['deliveries list --key key_none', 'KEY_NOT_FOUND'],
      ['deliveries dead --key key_none', 'KEY_NOT_FOUND'],
      ['deliveries attempts key_none', 'KEY_NOT_FOUND'],
      ['deliveries show key_none evt_none', 'KEY_NOT_FOUND'],
      ['operations show op_none', 'OPERATION_NOT_FOUND'],
      ['operations stop op_none', 'OPERATION_NOT_FOUND'],
    ] as const) {
      await expect(run(...commandLine.split(' ')), commandLine).rejects.toMatchObject({ code });
    }
  });

  test('grants a key access to several companies in one command', async () => {
    const { run, operator } = await openOperator();
    const { id } = await operator.partners.create({ name: 'Globex' });
    const { key } = await operator.keys.issue({ partnerId: id, environment: 'production' });
    const grant = (...companies: readonly string[]) => run('access', 'grant', key.id, ...companies);
    await expect(grant('co_harbor', key.id)).rejects.toThrow('<company> must be an id that starts with co_.');
    expect((await grant('co_harbor')).text).toBe('Granted.');
    expect((await grant('co_harbor', 'co_bluebird')).text).toBe(
      'Granted access to 1 company. The key already had access to 1.',
    );
    expect((await grant('co_harbor', 'co_bluebird')).text).toBe('Unchanged: the key already has access.');
    const { items } = await operator.access.list({ keyId: key.id, onlyActive: true });
    expect(items.map(({ companyId }) => companyId)).toEqual(['co_bluebird', 'co_harbor']);
  });

  test('revokes the access of a key to several companies in one command', async () => {
    const { run, operator } = await openOperator();
    const { id } = await operator.partners.create({ name: 'Globex' });
    const { key } = await operator.keys.issue({ partnerId: id, environment: 'production' });
    await run('access', 'grant', key.id, 'co_harbor', 'co_bluebird');
    const revoke = (...companies: readonly string[]) => run('access', 'revoke', key.id, ...companies);
    expect((await revoke('co_harbor')).text).toBe('Revoked.');
    expect((await revoke('co_harbor', 'co_bluebird')).text).toBe(
      'Revoked access to 1 company. Access to 1 was already revoked.',
    );
    expect((await revoke('co_harbor', 'co_bluebird')).text).toBe('Unchanged: access was already revoked.');
    expect((await operator.access.list({ keyId: key.id, onlyActive: true })).items).toEqual([]);
  });

  test('describes empty lists', async () => {
    const { run, operator, seeded } = await openOperator();
    const attempts = 'No recorded attempts. A first attempt that succeeds is not in this table.';
    expect((await run('deliveries', 'attempts', seeded.production.key.id)).text).toBe(attempts);
    const { id } = await operator.partners.create({ name: 'Globex' });
    expect((await run('keys', 'list', '--partner', id)).text).toContain(`${id} has no keys. Issue one`);
    const { key } = await operator.keys.issue({ partnerId: id, environment: 'production' });
    expect((await run('access', 'list', '--key', key.id)).text).toContain('has no access records.');
  });
});
