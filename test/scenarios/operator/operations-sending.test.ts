/** Commands on more than 10,000 deliveries: the worker continues what they begin. */
import { describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { appendEvents } from './append-events.js';
import { MORE, OWN, openOperationStage, startedBy } from './operations-stage.js';

const stage = await openOperationStage();
const { operator, storage, clock, delivered, waiting, rowsOf, runSteps } = stage;
const { deliveries, operations } = operator;

describe('sending more than 10,000 deliveries', () => {
  it('is continued by the worker, and each delivery is sent once', async () => {
    const { keyId, since } = await delivered(OWN + MORE);
    const preview = await deliveries.resend({ keyId, since, dryRun: true });
    expect(preview).toMatchObject({ count: OWN + MORE, restarted: OWN + MORE, operation: null });
    expect(await rowsOf(keyId)).toEqual([]);

    const outcome = await deliveries.resend({ keyId, since });
    expect(outcome.count).toBe(OWN);
    const operation = startedBy(outcome);
    expect(operation).toMatchObject({
      plan: { kind: 'resend', keyId, since, until: null, only: null },
      state: 'running',
      counts: { done: OWN, skipped: 0, total: null },
      finishedAt: null,
    });
    expect(await operations.find({ id: operation.id })).toEqual(operation);
    // Workers never run the same step.
    const steppers = [stage.stepper(), stage.stepper(), stage.stepper()];
    await Promise.all(steppers.map((stepper) => runSteps(stepper)));
    await runSteps();
    expect(await operations.find({ id: operation.id })).toMatchObject({
      state: 'done',
      counts: { done: OWN + MORE },
      lastError: null,
      finishedAt: clock.now(),
    });
    const rows = await rowsOf(keyId);
    expect(rows).toHaveLength(OWN + MORE);
    // All are due at one time, so they are sent in the order of the log.
    expect(new Set(rows.map(({ cycle, dueAt }) => `${cycle} ${dueAt}`)).size).toBe(1);
    expect(rows[0]).toMatchObject({ state: 'pending', cycle: 2, attempts: 0 });
  });

  it('of waiting deliveries leaves those that fail meanwhile', async () => {
    const keyId = await waiting(OWN + MORE);
    await operator.endpoints.pause({ keyId });
    const outcome = await operator.endpoints.resume({ keyId, retryNow: true });
    expect(outcome).toMatchObject({ changed: true, count: OWN, broughtForward: OWN });
    const beganAt = clock.now();
    await clock.advance(SECOND_MS);
    const last = (await rowsOf(keyId)).at(-1);
    if (last === undefined) throw new Error('There are no rows.');
    const failed = { ...last, attempts: 2, lastAttemptAt: clock.now(), dueAt: clock.now() + MINUTE_MS };
    await storage.direct.deliveries.save([failed]);
    await runSteps();
    expect(await operations.find({ id: startedBy(outcome).id })).toMatchObject({
      plan: { kind: 'retry_now', keyId },
      state: 'done',
      counts: { done: OWN + MORE - 1 },
    });
    const rows = await rowsOf(keyId);
    expect(rows.at(-1)).toEqual(failed);
    expect(new Set(rows.slice(0, -1).map(({ dueAt, attempts }) => `${dueAt} ${attempts}`))).toEqual(
      new Set([`${beganAt} 1`]),
    );
  });

  it('of a partner runs as one operation, one key after the other, and is one act', async () => {
    const { keyId, since } = await delivered(1_100);
    const partnerId = (await operator.keys.find({ id: keyId }))?.key.partnerId ?? 'ptn_none';
    const resend = { partnerId, since } as const;
    const endpointUrl = 'https://ats.example/hooks';
    const { key } = await operator.keys.issue({ partnerId, environment: 'sandbox', endpointUrl });
    await appendEvents(storage, key.id, 30, clock.now());
    const [head] = (await stage.events(key.id)).toReversed();
    await storage.direct.endpoints.advanceWatermark(key.id, head?.at ?? 0);
    await clock.advance(MINUTE_MS);
    expect(await deliveries.resend({ ...resend, dryRun: true })).toMatchObject({
      count: 1_130,
      keys: [
        { keyId, count: 1_100 },
        { keyId: key.id, count: 30 },
      ],
      operation: null,
    });
    expect(await rowsOf(keyId)).toEqual([]);
    const { id } = startedBy(await operator.as({ id: 'ada' }).deliveries.resend(resend));
    await stage.stepper().step();
    expect(await operations.find({ id })).toMatchObject({ state: 'running', counts: { done: 1_000 } });
    expect(await rowsOf(key.id)).toEqual([]);
    await runSteps();
    expect(await operations.find({ id })).toMatchObject({ state: 'done', counts: { done: 1_130 } });
    expect([await rowsOf(keyId), await rowsOf(key.id)].map((rows) => rows.length)).toEqual([1_100, 30]);
    const { items: acts } = await operator.audit.list({ object: { kind: 'operation', id } });
    expect(acts).toMatchObject([
      { actor: { id: 'ada' }, count: 1_130, filter: { since, until: null, only: null } },
    ]);
    for (const each of [keyId, key.id]) {
      const { entries } = await operator.timelines.find({ keyId: each, since: clock.now() - SECOND_MS });
      const shown = entries.filter(
        (entry) => entry.kind === 'command' && entry.auditEntry.act.startsWith('deliveries'),
      );
      expect(shown).toMatchObject([{ auditEntry: { id: acts[0]?.id, count: 1_130 } }]);
    }
  });

  it('of a partner without a time sends what failed, and says why it cannot', async () => {
    const keyId = await waiting(3);
    const partnerId = (await operator.keys.find({ id: keyId }))?.key.partnerId ?? 'ptn_none';
    const undelivered = { partnerId, only: 'undelivered' } as const;
    expect(await deliveries.resend({ ...undelivered, dryRun: true })).toMatchObject({
      count: 3,
      broughtForward: 3,
    });
    const { id } = startedBy(await deliveries.resend(undelivered));
    await runSteps();
    expect(await operations.find({ id })).toMatchObject({ state: 'done', counts: { done: 3 } });
    expect(await deliveries.resend({ ...undelivered, dryRun: true })).toMatchObject({ count: 0 });
    const alone = (await operator.partners.create({ name: 'Alone' })).id;
    for (const [input, code] of [
      [{ partnerId: 'ptn_none' }, 'PARTNER_NOT_FOUND'],
      [{ partnerId: alone }, 'ENDPOINT_NOT_FOUND'],
    ] as const)
      await expect(deliveries.resend({ ...input, only: 'undelivered' })).rejects.toMatchObject({ code });
  });

  it("starts with the host's commit, and not without it", async () => {
    const keyId = await waiting(OWN + MORE);
    const host = await stage.host();
    await host.run('begin');
    const undone = await operator.within(host.tx).deliveries.resend({ keyId, only: 'undelivered' });
    await host.run('rollback');
    expect(await operations.find({ id: startedBy(undone).id })).toBeNull();
    await host.run('begin');
    const within = operator.within(host.tx);
    const { id } = startedBy(await within.deliveries.resend({ keyId, only: 'undelivered' }));
    expect(await within.operations.find({ id })).toMatchObject({ state: 'running' });
    await host.run('commit');
    await runSteps();
    expect(await operations.find({ id })).toMatchObject({ state: 'done', counts: { done: OWN + MORE } });
  });
});

describe('cancelling an event', () => {
  it('works behind 10,000 events that were never attempted, and not behind more', async () => {
    const keyId = await stage.key();
    await operator.endpoints.pause({ keyId });
    await appendEvents(storage, keyId, 10_002, clock.now());
    const { items } = await deliveries.list({ keyId, limit: 2 });
    const [last = 'evt_', other = 'evt_'] = items.map(({ eventId }) => eventId);
    await expect(deliveries.cancel({ keyId, eventId: last })).rejects.toMatchObject({
      code: 'ILLEGAL_MOVE',
      message: expect.stringContaining('More than 10000 events'),
    });
    expect((await deliveries.cancel({ keyId, eventId: other })).changed).toBe(true);
  });
});
