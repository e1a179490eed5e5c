/** A partner moves between a look-up of its cell and the write. */
import type { PartnerId, Storage } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { STORY_START } from '@partner-hiring/test-support/clock';
import type { Fixture } from '@partner-hiring/test-support/fixture';
import { createPartner, type Partner } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import type { HostTransaction } from '@partner-hiring/test-support/storages';
import { Client, Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMovesStage } from './moves-stage.js';

const stage = perTest(openMovesStage, ({ close }) => close());

describe('if the partner moves between a look-up and its write', () => {
  let afterLookUp: (() => Promise<unknown>) | undefined;
  let lookUps: number;
  let late: Pool;
  let fixture: Fixture;
  let partner: Partner;
  let storage: Storage<HostTransaction>;

  beforeEach(async () => {
    const { database, schemas, open } = stage;
    lookUps = 0;
    class Late extends Client {
      override query(...given: unknown[]): never {
        const [query] = given as [string | { readonly text: string }];
        const text = typeof query === 'string' ? query : query.text;
        const answer: unknown = super.query(...(given as [string]));
        if (!/"ph_partner(_key)?".* union all /s.test(text) || !(answer instanceof Promise))
          return answer as never;
        return answer.then(async (result: unknown) => {
          await afterLookUp?.();
          return result;
        }) as never;
      }
    }
    late = new Pool({ connectionString: database.connectionString, Client: Late, max: 4 });
    fixture = await open();
    partner = await createPartner(fixture);
    storage = (await createPostgresStorage({ pool: late, schemas })) as Storage<HostTransaction>;
  });
  afterEach(async () => {
    afterLookUp = undefined;
    await storage.close();
    await late.end();
  });

  async function moveTimes(most: number): Promise<PartnerId> {
    const { schemas, partnerIdOf, cellOf, move } = stage;
    const partnerId = await partnerIdOf(fixture, partner);
    lookUps = 0;
    afterLookUp = async () => {
      lookUps += 1;
      if (lookUps > most) return;
      const [from = ''] = await cellOf(partnerId);
      const to = schemas.find((name) => name !== from) ?? '';
      await move(partnerId, to);
    };
    return partnerId;
  }

  it('a transaction runs again, but not for ever', async () => {
    const add = (id: `key_${string}`, partnerId: PartnerId) =>
      storage.transaction(({ keys }) =>
        keys.add({ id, partnerId, environment: 'sandbox', createdAt: STORY_START }),
      );
    await expect(add('key_late', await moveTimes(Number.POSITIVE_INFINITY))).rejects.toMatchObject({
      code: '23503',
    });
    expect(lookUps).toBe(4);
    const partnerId = await moveTimes(2);
    expect(await add('key_third', partnerId)).toBe('added');
    expect(lookUps).toBe(3);
    const { items: keys } = await fixture.operator.keys.list({ partnerId });
    expect(keys.map(({ key }) => key.id)).toContain('key_third');
  });

  it('a call outside a transaction runs again, but not for ever', async () => {
    const { cellOf, countIn } = stage;
    const addHead = () => storage.direct.inbox.addHeads([partner.keyId]);
    await moveTimes(Number.POSITIVE_INFINITY);
    await expect(addHead()).rejects.toMatchObject({ code: '23503' });
    expect(lookUps).toBe(4);
    // The first attempt goes to the cell that was remembered last.
    const partnerId = await moveTimes(2);
    await addHead();
    const [cell = ''] = await cellOf(partnerId);
    expect(await countIn(cell, 'ph_inbox_head')).toBe(1);
  });
});
