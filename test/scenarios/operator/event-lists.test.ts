/** `events.list` shows an operator what partners fetch with `GET /events`. */

import { createFixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import type { EventFilter } from '../../../packages/core/src/groups/deliveries/event-commands.js';

const stage = perTest(openStage, ({ fixture }) => fixture.close());

/** A partner with a key and a sandbox key, whose events have the same instants. */
async function openStage() {
  const fixture = await createFixture({ selfService: { events: true } });
  const { operator } = fixture;
  const partner = await createPartner(fixture, { endpoint: false });
  const { keyId } = partner;
  const partnerId = (await operator.keys.find({ id: keyId }))?.key.partnerId ?? 'ptn_none';
  const sandbox = await createPartner(fixture, { endpoint: false, sandbox: true, partnerId });
  const companies = [
    await createEmployer(fixture, partner),
    await createEmployer(fixture, sandbox, { sandbox: true }),
  ];
  for (let round = 0; round < 3; round += 1) {
    await fixture.clock.advance(1_000);
    for (const { companyId } of companies) {
      const { id } = await operator.jobs.publish({ companyId, ...WAREHOUSE_JOB });
      if (round === 0) await operator.jobs.close({ id });
    }
  }
  return { fixture, operator, partner, partnerId, keyId, sandboxKeyId: sandbox.keyId };
}

/** The rows of all pages. */
async function rowsOf(filter: EventFilter, limit: number) {
  const { operator } = stage;
  const first = await operator.events.list({ ...filter, limit });
  const rows = [...first.items];
  for (let cursor = first.nextCursor; cursor !== null; ) {
    const page = await operator.events.list({ ...filter, limit, cursor });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    rows.push(...page.items);
    cursor = page.nextCursor;
  }
  return rows;
}

it('lists the events of a key as the partner fetches them, with the names of the key', async () => {
  const { keyId, partner, partnerId } = stage;
  const rows = await rowsOf({ keyId }, 2);
  const { json } = await partner.get('/events');
  expect(rows.map(({ body }) => JSON.parse(body))).toEqual(json.data);
  expect(rows).toHaveLength(5);
  expect(rows[0]).toMatchObject({
    keyId,
    partnerId,
    type: 'job.opened',
    keyLabel: expect.stringContaining('(production)'),
  });
  const last = await stage.operator.events.list({ keyId, limit: 5 });
  expect(last.nextCursor).toBeNull();
});

it.each([1, 2, 3, 100])('merges the logs of all keys of a partner in pages of %i', async (limit) => {
  const { partnerId, keyId, sandboxKeyId } = stage;
  const [own, sandbox] = [await rowsOf({ keyId }, 100), await rowsOf({ keyId: sandboxKeyId }, 100)];
  const merged = await rowsOf({ partnerId }, limit);
  expect(merged).toHaveLength(10);
  expect(merged.filter((row) => row.keyId === keyId)).toEqual(own);
  expect(merged.filter((row) => row.keyId === sandboxKeyId)).toEqual(sandbox);
  expect(merged.map(({ at }) => at)).toEqual(merged.map(({ at }) => at).toSorted((a, b) => a - b));
  const closed = await rowsOf({ partnerId, type: 'job.closed' }, limit);
  expect(closed).toEqual(merged.filter(({ type }) => type === 'job.closed'));
});

it('selects a time, from since on and before until', async () => {
  const { keyId } = stage;
  const all = await rowsOf({ keyId }, 100);
  const [, second, , fourth] = all;
  const range = { since: second?.at, until: fourth?.at };
  expect(await rowsOf({ keyId, ...range }, 1)).toEqual(all.slice(1, 3));
});

it('refuses a filter without a key or a partner, with both, and a cursor of another filter', async () => {
  const { operator, keyId, partnerId } = stage;
  for (const filter of [{}, { keyId, partnerId }]) {
    await expect(operator.events.list(filter)).rejects.toThrow('must have keyId or partnerId, but not both');
  }
  const { nextCursor } = await operator.events.list({ keyId, limit: 1 });
  const cursor = nextCursor ?? '';
  await expect(operator.events.list({ partnerId, cursor })).rejects.toThrow('a page with the same filter');
});
