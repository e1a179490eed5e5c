/** Partners move between cells while they are used. */

import { randomUUID } from 'node:crypto';
import type { InboxItem } from '@partner-hiring/core';
import {
  addPostgresCell,
  createPostgresStorage,
  listPostgresCells,
  movePostgresPartner,
} from '@partner-hiring/postgres';
import {
  createEmployer,
  createPartner,
  type Partner,
  submission,
  WAREHOUSE_JOB,
} from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import fc from 'fast-check';
import { Client, Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { closeSocket } from '../../../packages/postgres/src/pg-objects.js';
import { CELLS, openMovesStage } from './moves-stage.js';

const stage = perTest(openMovesStage, ({ close }) => close());

it('spreads new partners over the cells', async () => {
  const { pool, schemas, open } = stage;
  const fixture = await open();
  for (let count = 0; count < 2 * CELLS; count += 1) await createPartner(fixture);
  const cells = await listPostgresCells({ pool, schemas });
  expect(cells.map(({ partners }) => partners)).toEqual([2, 2, 2]);
  expect(cells.map(({ isHome }) => isHome)).toEqual([true, false, false]);
});

it('moves everything of a partner, and a process that remembers the old cell finds it', async () => {
  const { schemas, open, partnerIdOf, cellOf, countIn, move } = stage;
  const fixture = await open();
  const partner = await createPartner(fixture);
  const other = await createPartner(fixture);
  const { jobId } = await createEmployer(fixture, partner);
  const key = '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10';
  const first = await partner.submit(submission(jobId), key);
  expect(first.status).toBe(201);
  const partnerId = await partnerIdOf(fixture, partner);
  const [from = ''] = await cellOf(partnerId);
  for (const to of [...schemas, from]) {
    await move(partnerId, to);
    expect(await cellOf(partnerId)).toEqual([to]);
    expect((await partner.get(`/applications/${first.json.id}`)).status).toBe(200);
    expect((await partner.get('/jobs')).json.data).toHaveLength(1);
    const again = await partner.submit(submission(jobId), key);
    expect([again.status, again.json.id]).toEqual([201, first.json.id]);
    const sourceApplicationId = randomUUID();
    expect((await partner.submit(submission(jobId, { sourceApplicationId }))).status).toBe(201);
    const repeated = await partner.submit(submission(jobId, { sourceApplicationId }));
    expect([repeated.status, repeated.json.error]).toEqual([409, 'DUPLICATE_SOURCE_APPLICATION_ID']);
  }
  for (const schema of schemas.filter((name) => name !== from)) {
    expect(await countIn(schema, 'ph_application')).toBe(0);
  }
  expect((await other.get('/applications')).json.data).toEqual([]);
});

it('counts the totals of a partner that moves, also in a process that remembers the old cell', async () => {
  const { schemas, open, partnerIdOf, cellOf, move } = stage;
  const fixture = await open();
  const { clock, operator, partnerHiring } = fixture;
  const partner = await createPartner(fixture);
  const { jobId } = await createEmployer(fixture, partner);
  const partnerId = await partnerIdOf(fixture, partner);
  const [from = ''] = await cellOf(partnerId);
  const moves = [...schemas.filter((name) => name !== from), from];
  for (const to of moves) {
    expect((await partner.submit(submission(jobId))).status).toBe(201);
    await partnerHiring.worker.drain();
    expect((await partner.submit(submission(jobId))).status).toBe(201);
    await move(partnerId, to);
    await clock.advance(10 * 60_000);
    await partnerHiring.worker.drain();
  }
  const { items } = await operator.totals.list({ partnerId });
  expect(items.map(({ submitted }) => submitted)).toEqual([2 * moves.length]);
});

it('repeats a move without an effect', async () => {
  const { schemas, open, partnerIdOf, cellOf, move } = stage;
  const fixture = await open();
  const partner = await createPartner(fixture);
  const partnerId = await partnerIdOf(fixture, partner);
  const [from = ''] = await cellOf(partnerId);
  const to = schemas.find((name) => name !== from) ?? '';
  expect((await move(partnerId, to)).movedRows).toBeGreaterThan(0);
  expect(await move(partnerId, to)).toEqual({ from: to, to, movedRows: 0 });
  await expect(move('ptn_none', to)).rejects.toMatchObject({
    code: 'PARTNER_NOT_FOUND',
  });
});

it('changes nothing if the connection is lost at any statement of a move', async () => {
  const { database, schemas, open, partnerIdOf, cellOf, countIn } = stage;
  const fixture = await open();
  const partner = await createPartner(fixture);
  const { jobId } = await createEmployer(fixture, partner);
  await partner.submit(submission(jobId));
  const partnerId = await partnerIdOf(fixture, partner);
  const [from = ''] = await cellOf(partnerId);
  const to = schemas.find((name) => name !== from) ?? '';
  let isDone = false;
  let attempts = 0;
  for (let last = 1; !isDone; last += 7) {
    attempts += 1;
    let count = 0;
    class Doomed extends Client {
      override query(...given: unknown[]): never {
        count += 1;
        if (count === last) closeSocket(this);
        return super.query(...(given as [string])) as never;
      }
    }
    const doomed = new Pool({ connectionString: database.connectionString, Client: Doomed, max: 1 });
    doomed.on('error', () => {});
    isDone = await movePostgresPartner({ pool: doomed, schemas, partnerId, to }).then(
      () => true,
      () => false,
    );
    await doomed.end();
    if (!isDone) expect(await cellOf(partnerId)).toEqual([from]);
  }
  expect(attempts).toBeGreaterThan(5);
  expect(await cellOf(partnerId)).toEqual([to]);
  expect(await countIn(from, 'ph_application')).toBe(0);
  expect(await countIn(to, 'ph_application')).toBe(1);
});

it('takes an erasure along, before and after the host has heard of it', async () => {
  const { schemas, items, open, partnerIdOf, cellOf, countIn, move } = stage;
  const fixture = await open();
  const { candidates } = fixture.operator;
  const partner = await createPartner(fixture);
  const { jobId } = await createEmployer(fixture, partner);
  const { json } = await partner.submit(submission(jobId));
  const applicationId = String(json.id) as `ej_app_${string}`;
  await fixture.partnerHiring.worker.drain();
  const partnerId = await partnerIdOf(fixture, partner);
  const [from = ''] = await cellOf(partnerId);
  const others = schemas.filter((name) => name !== from);
  await move(partnerId, others[1] ?? '');
  // The process remembers the old cell.
  const { erasedAt } = await candidates.erase({ applicationId });
  expect(await countIn(others[1] ?? '', 'ph_inbox_erasure')).toBe(1);
  const find = () => fixture.operator.applications.find({ id: applicationId });
  const item = async () => (await find())?.erasureItem;
  await move(partnerId, others[0] ?? '');
  expect(await item()).toMatchObject({ at: erasedAt, receivedAt: null });
  await fixture.partnerHiring.worker.drain();
  await move(partnerId, others[1] ?? '');
  expect(await item()).toMatchObject({ at: erasedAt, receivedAt: expect.any(Number) });
  await fixture.partnerHiring.worker.drain();
  expect(items.filter(({ kind }) => kind === 'candidate.erased')).toMatchObject([{ applicationId }]);
  const { items: applications } = await fixture.operator.applications.list({ erasedSince: erasedAt });
  expect(applications.map(({ id }) => id)).toEqual([applicationId]);
});

it('waits for a transaction of the host that has changed the partner, and loses nothing', async () => {
  const { database, schemas, open, partnerIdOf, cellOf, move } = stage;
  const fixture = await open();
  const partner = await createPartner(fixture);
  const { jobId } = await createEmployer(fixture, partner);
  const { json } = await partner.submit(submission(jobId));
  const id = String(json.id) as `ej_app_${string}`;
  const partnerId = await partnerIdOf(fixture, partner);
  const [from = ''] = await cellOf(partnerId);
  const to = schemas.find((name) => name !== from) ?? '';
  const host = new Client({ connectionString: database.connectionString });
  await host.connect();
  await host.query('begin');
  await fixture.operator.within(host).applications.move({ id });
  const moving = move(partnerId, to);
  await database.run('select pg_sleep(0.4)');
  expect(await cellOf(partnerId)).toEqual([from]);
  await host.query('commit');
  await host.end();
  await moving;
  expect(await fixture.operator.applications.find({ id })).toMatchObject({ status: 'in_progress' });
});

describe('with any schedule of moves', () => {
  it('loses and doubles no submission, inbox item or event', async () => {
    const { database, schemas, items, open, partnerIdOf, move } = stage;
    const fixture = await open();
    const another = await open();
    const partners = [await createPartner(fixture), await createPartner(fixture)];
    const jobs: string[] = [];
    for (const partner of partners) jobs.push((await createEmployer(fixture, partner)).jobId);
    const ids: string[] = [];
    const begun: string[] = [];
    const act = fc.record({
      kind: fc.constantFrom('submit', 'submit', 'submit', 'move', 'decide', 'work'),
      partner: fc.nat(1),
      cell: fc.nat(CELLS - 1),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 16 }), async (acts) => {
        await Promise.all(
          acts.map(async ({ kind, partner: index, cell }) => {
            const partner = partners[index] as Partner;
            if (kind === 'submit') {
              const reply = await partner.submit(submission(jobs[index] ?? ''));
              expect(reply.status, reply.text).toBe(201);
              ids.push(String(reply.json.id));
            } else if (kind === 'move') {
              const partnerId = await partnerIdOf(fixture, partner);
              await move(partnerId, schemas[cell] ?? '');
            } else if (kind === 'decide') {
              const id = ids[cell] as `ej_app_${string}` | undefined;
              const byStaff = another.operator.through('console').as({ id: 'staff-7' });
              if (id !== undefined && (await byStaff.applications.move({ id })).changed) begun.push(id);
            } else await another.partnerHiring.worker.drain();
          }),
        );
      }),
      { numRuns: 6 },
    );
    await fixture.partnerHiring.worker.drain();
    await fixture.partnerHiring.worker.drain();
    const stored: string[] = [];
    for (const schema of schemas) {
      const rows = await database.run(`select id from ${schema}.ph_application`);
      stored.push(...rows.map(({ id }) => String(id)));
    }
    expect(stored.sort()).toEqual([...ids].sort());
    const idsOf = (kind: InboxItem['kind']) =>
      items.flatMap((item) => (item.kind === kind ? [item.applicationId] : [])).sort();
    expect(idsOf('application.submitted')).toEqual([...ids].sort());
    expect(idsOf('application.changed')).toEqual(begun.sort());
  });
});

it('gives a new cell all jobs and the choices of the inbox before it gets partners', async () => {
  const { pool, schemas, database, open, countIn } = stage;
  const [home = '', second = '', third = ''] = schemas;
  const fixture = await open([home, second]);
  const partner = await createPartner(fixture);
  const { companyId } = await createEmployer(fixture, partner);
  const grown = await open();
  expect((await listPostgresCells({ pool, schemas })).map(({ isOpen }) => isOpen)).toEqual([
    true,
    true,
    false,
  ]);
  await createPartner(grown);
  await createPartner(grown);
  expect(await countIn(third, 'ph_partner')).toBe(0);
  // A job of a company that the new cell does not have yet.
  await grown.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB });
  await fixture.operator.inbox.turn({ on: true, changes: 'all' });
  await addPostgresCell({ pool, schemas, schema: third });
  await addPostgresCell({ pool, schemas, schema: third });
  const chosen = await database.run(`select is_on, changes from ${third}.ph_inbox_switch`);
  expect(chosen).toEqual([{ is_on: 1, changes: 'all' }]);
  expect(await countIn(third, 'ph_job')).toBe(await countIn(home, 'ph_job'));
  expect(await countIn(third, 'ph_company')).toBe(await countIn(home, 'ph_company'));
  await createPartner(grown);
  expect(await countIn(third, 'ph_partner')).toBe(1);
  await expect(createPostgresStorage({ pool, schemas: [home, second] })).rejects.toThrow(
    `more cells than were given: ${third}`,
  );
  await expect(createPostgresStorage({ pool, schema: home })).rejects.toThrow('Give all cells as `schemas`');
  await expect(createPostgresStorage({ pool, schemas: [second, home] })).rejects.toThrow(
    `The home cell is ${home}`,
  );
});
