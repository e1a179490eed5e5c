/** Acts on many endpoints, and the rotation of all secrets of a partner. */
import { describe, expect, it } from 'vitest';
import { IS_FULL } from '../../faults/stage/size.js';
import { openOperationStage, startedBy } from './operations-stage.js';

const stage = await openOperationStage();
const { operator, runSteps } = stage;
const { bulk, operations, endpoints } = operator;

const ENDPOINTS = IS_FULL ? 200 : 25;

const isPaused = async (keyId: 'key_') => (await endpoints.find({ keyId }))?.state.kind === 'paused';

describe('endpoints', () => {
  it('pauses chosen ones, resumes all paused ones, and names those that it cannot resume', async () => {
    const keyIds = [await stage.key(), await stage.key(), await stage.key()];
    const [disabled, other] = keyIds;
    if (disabled === undefined || other === undefined) throw new Error('A key is missing.');
    startedBy(await bulk.start({ act: 'endpoints.pause', ids: keyIds }));
    await endpoints.pause({ keyId: other });
    await runSteps();
    expect(await Promise.all(keyIds.map((keyId) => isPaused(keyId as 'key_')))).toEqual([true, true, true]);
    const partnerId = (await operator.keys.find({ id: disabled }))?.key.partnerId ?? 'ptn_';
    const resume = { act: 'endpoints.resume', all: true } as const;
    expect(await bulk.start({ ...resume, dryRun: true })).toMatchObject({ count: 3 });
    const { id } = startedBy(await bulk.start(resume));
    await operator.partners.update({ id: partnerId, disabled: true });
    await runSteps();
    const ended = await operations.find({ id });
    expect(ended).toMatchObject({ state: 'done', counts: { done: 2, skipped: 0 } });
    expect(ended?.failed).toMatchObject({
      count: 1,
      first: [{ object: { kind: 'endpoint', id: disabled }, code: 'PARTNER_DISABLED' }],
    });
    const { items } = await operator.audit.list({ object: { kind: 'endpoint', id: other } });
    expect(items.map(({ act }) => act).slice(0, 2)).toEqual(['endpoints.resume', 'endpoints.pause']);
  });

  it('resends what is undelivered at each, 100 at a time', async () => {
    // Those of the first one are due meanwhile.
    const keyIds = [await stage.waiting(30), await stage.waiting(250)];
    const input = { act: 'deliveries.resend', ids: keyIds, only: 'undelivered' } as const;
    const { id } = startedBy(await bulk.start(input));
    expect(await runSteps()).toBe(5);
    const counts = { done: 2, skipped: 0, total: 2 };
    expect(await operations.find({ id })).toMatchObject({ state: 'done', counts });
    for (const keyId of keyIds) {
      const { overall } = await operator.deliveries.count({ keyId });
      expect(overall.scheduled).toBe(0);
    }
  });

  it(`resumes ${ENDPOINTS} endpoints`, async () => {
    const keyIds: string[] = [];
    for (let index = 0; index < ENDPOINTS; index += 1) keyIds.push(await stage.key());
    for (const keyId of keyIds) await endpoints.pause({ keyId: keyId as 'key_' });
    const { id } = startedBy(await bulk.start({ act: 'endpoints.resume', all: true }));
    // Ten at a time.
    expect(await runSteps()).toBeGreaterThanOrEqual(ENDPOINTS / 10);
    expect(await operations.find({ id })).toMatchObject({ state: 'done', counts: { skipped: 0 } });
    expect(await Promise.all(keyIds.map((keyId) => isPaused(keyId as 'key_')))).not.toContain(true);
  }, 120_000);
});

describe('all secrets of a partner', () => {
  it('rotates keys and signing secrets with one overlap, and returns them once', async () => {
    const { id } = await operator.partners.create({ name: 'Beta ATS' });
    const issue = { partnerId: id, endpointUrl: 'https://beta.example/hooks' };
    const { key } = await operator.keys.issue({ ...issue, environment: 'production' });
    await operator.keys.issue({ partnerId: id, environment: 'sandbox' });
    await stage.clock.advance(1_000);
    const { keys, oldSecretsExpireAt } = await bulk.rotateSecrets({ partnerId: id, overlapMs: 3_600_000 });
    expect(keys).toMatchObject([
      { key: { id: key.id }, endpoint: { signingSecret: expect.stringMatching(/^whsec_/) } },
      { key: { environment: 'sandbox' }, endpoint: null },
    ]);
    expect(oldSecretsExpireAt).toBe(stage.clock.now() + 3_600_000);
    const { items } = await operator.keys.list({ partnerId: id });
    for (const [index, view] of items.entries()) {
      expect(view.secrets.map(({ state }) => state)).toEqual(['current', 'replaced']);
      expect(keys[index]?.secret.endsWith(view.secrets[0]?.lastFour ?? '-')).toBe(true);
      expect(view.secrets[1]?.expiresAt).toBe(oldSecretsExpireAt);
    }
    const [entry] = (await operator.audit.list({ object: { kind: 'partner', id }, limit: 1 })).items;
    expect(entry).toMatchObject({ act: 'bulk.rotateSecrets', count: 2, after: { oldSecretsExpireAt } });
    for (const { secret } of keys) expect(JSON.stringify(entry)).not.toContain(secret);
  });

  it('happens once if the caller says which secrets it knows', async () => {
    const { id } = await operator.partners.create({ name: 'Gamma ATS' });
    const { secret } = await operator.keys.issue({ partnerId: id, environment: 'production' });
    const rotation = { partnerId: id, ifCurrent: secret.slice(-4) };
    await bulk.rotateSecrets(rotation);
    await expect(bulk.rotateSecrets(rotation)).rejects.toMatchObject({ code: 'SECRET_REPLACED' });
    await expect(bulk.rotateSecrets({ partnerId: 'ptn_none' })).rejects.toMatchObject({ code: 'PARTNER_NOT_FOUND' });
  });
});

describe('a person with limited rights', () => {
  it('acts on the endpoints of their partners, sees the operation, and nobody else does', async () => {
    const keyId = await stage.key();
    const foreign = await stage.key();
    const partnerOf = async (id: typeof keyId) =>
      (await operator.keys.find({ id }))?.key.partnerId ?? 'ptn_none';
    const rights = ['endpoints:pause', 'operations:read', 'operations:stop'] as const;
    const limited = operator.limitedTo({ partnerIds: [await partnerOf(keyId)], rights });
    const other = operator.limitedTo({ partnerIds: [await partnerOf(foreign)], rights });
    const pause = (ids: readonly (typeof keyId)[]) => limited.bulk.start({ act: 'endpoints.pause', ids });
    await expect(pause([keyId, foreign])).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
    await expect(limited.bulk.start({ act: 'endpoints.pause', all: true })).rejects.toMatchObject({
      code: 'NEEDS_ALL_PARTNERS',
    });
    await expect(limited.bulk.start({ act: 'endpoints.resume', ids: [keyId] })).rejects.toMatchObject({
      code: 'RIGHT_MISSING',
    });
    const { id } = startedBy(await pause([keyId]));
    expect(await limited.operations.find({ id })).toMatchObject({ id });
    expect(await other.operations.find({ id })).toBeNull();
    await expect(other.operations.stop({ id })).rejects.toMatchObject({ code: 'OPERATION_NOT_FOUND' });
    expect(await limited.operations.stop({ id })).toMatchObject({ changed: true });
  });
});
