import { countTurns } from '@partner-hiring/test-support/turns';
import { describe, expect, it } from 'vitest';
import { newDelivery, type StoredDelivery } from '../../../packages/core/src/domain/delivery.js';
import type { PauseReason } from '../../../packages/core/src/domain/endpoint.js';
import { signingSecrets } from '../../../packages/core/src/domain/endpoint-secrets.js';
import type { EventId, KeyId } from '../../../packages/core/src/domain/ids.js';
import { DAY_MS, HOUR_MS } from '../../../packages/core/src/domain/time.js';
import { openStage, PICKER } from './stage.js';

const stage = await openStage();
const { operator, clock, storage } = stage;

const URL = 'https://ats.example/hooks';

/** The secrets that sign now. */
async function signing(keyId: KeyId): Promise<readonly string[]> {
  const endpoint = await storage.direct.endpoints.find(keyId);
  return endpoint ? signingSecrets(endpoint, clock.now()).map(({ sealed }) => sealed) : [];
}

describe('the URL of an endpoint', () => {
  it('creates it with a signing secret that is stored sealed', async () => {
    const keyId = await stage.key({ endpoint: false });
    const { endpoint, changed, signingSecret } = await operator.endpoints.setUrl({ keyId, url: URL });
    expect(changed).toBe(true);
    expect(endpoint).toMatchObject({ keyId, url: URL, state: { kind: 'active' } });
    expect(signingSecret).toMatch(/^whsec_/);
    expect(await signing(keyId)).toEqual([`sealed:${signingSecret}`]);
    expect(endpoint.signingSecretId).toMatch(/^[0-9a-f]{30}$/);
    expect(await operator.endpoints.find({ keyId })).toMatchObject(endpoint);
  });

  it('changes without any other change', async () => {
    const keyId = await stage.key();
    const before = await signing(keyId);
    await operator.endpoints.pause({ keyId });
    const moved = await operator.endpoints.setUrl({ keyId, url: 'https://ats.example/v2' });
    expect(moved).toMatchObject({
      changed: true,
      signingSecret: null,
      endpoint: { url: 'https://ats.example/v2', state: { kind: 'paused', reason: 'operator' } },
    });
    expect(await signing(keyId)).toEqual(before);
    expect((await operator.endpoints.setUrl({ keyId, url: 'https://ats.example/v2' })).changed).toBe(false);
  });

  it('is stored in its normal form, without line breaks and escape sequences', async () => {
    const given = ' https://ATS.example/a\nb\u001b[2J/\u202ec?q=\u009b\'"{}\r\n';
    const normal = 'https://ats.example/ab%1B[2J/%E2%80%AEc?q=%C2%9B%27%22{}';
    const keyId = await stage.key({ endpoint: false });
    expect((await operator.endpoints.setUrl({ keyId, url: given })).endpoint.url).toBe(normal);
    expect((await operator.endpoints.setUrl({ keyId, url: given })).changed).toBe(false);
    const { id: partnerId } = await operator.partners.create({ name: 'Newcomer' });
    const issued = await operator.keys.issue({ partnerId, environment: 'production', endpointUrl: given });
    expect(issued.endpoint?.url).toBe(normal);
    expect((await operator.endpoints.find({ keyId: issued.key.id }))?.url).toBe(normal);
  });

  it('is rejected if it is plain http, for an unknown key, and if nothing or too much is asked', async () => {
    const keyId = await stage.key({ endpoint: false });
    for (const [code, change] of [
      ['INVALID_INPUT', { keyId, url: 'http://ats.example/' }],
      ['INVALID_INPUT', { keyId }],
      ['INVALID_INPUT', { keyId, url: URL, restore: true }],
      ['ENDPOINT_NOT_FOUND', { keyId, restore: true }],
      ['KEY_NOT_FOUND', { keyId: 'key_none', url: URL }],
      ['KEY_NOT_FOUND', { keyId: 'key_none', restore: true }],
    ] as const)
      await expect(operator.endpoints.setUrl(change as never)).rejects.toMatchObject({ code });
    expect(await operator.endpoints.find({ keyId })).toBeNull();
  });
});

describe('a rotation of the signing secret', () => {
  it('lets both secrets sign for 24 hours, the new one first', async () => {
    const keyId = await stage.key();
    const [old] = await signing(keyId);
    const { signingSecret } = await operator.endpoints.rotateSecret({ keyId });
    await clock.advance(DAY_MS - 1);
    expect(await signing(keyId)).toEqual([`sealed:${signingSecret}`, old]);
    await clock.advance(1);
    expect(await signing(keyId)).toEqual([`sealed:${signingSecret}`]);
  });

  it('never extends an earlier overlap, and deletes expired secrets', async () => {
    const keyId = await stage.key();
    const [first] = await signing(keyId);
    const second = await operator.endpoints.rotateSecret({ keyId, overlapMs: HOUR_MS });
    await operator.endpoints.rotateSecret({ keyId, overlapMs: 7 * DAY_MS });
    await clock.advance(HOUR_MS);
    expect(await signing(keyId)).not.toContain(first);
    expect(await signing(keyId)).toContain(`sealed:${second.signingSecret}`);
    const last = await operator.endpoints.rotateSecret({ keyId, overlapMs: 0 });
    const stored = await storage.direct.endpoints.find(keyId);
    expect(stored?.secrets).toEqual([
      { sealed: `sealed:${last.signingSecret}`, createdAt: expect.any(Number), expiresAt: null },
    ]);
  });

  it('requires an endpoint', async () => {
    const keyId = await stage.key({ endpoint: false });
    await expect(operator.endpoints.rotateSecret({ keyId })).rejects.toMatchObject({
      code: 'ENDPOINT_NOT_FOUND',
    });
  });
});

async function savePaused(keyId: KeyId, reason: PauseReason): Promise<void> {
  const endpoint = await storage.direct.endpoints.find(keyId);
  if (endpoint === null) throw new Error('The endpoint is there.');
  await storage.direct.endpoints.save({
    ...endpoint,
    state: { kind: 'paused', reason, pausedAt: clock.now() },
  });
}

describe('a pause', () => {
  it('happens once, and resuming ends it and wakes the worker', async () => {
    const keyId = await stage.key();
    const pausedAt = clock.now();
    const state = { kind: 'paused', reason: 'operator', pausedAt };
    expect((await operator.endpoints.pause({ keyId })).endpoint.state).toEqual(state);
    await clock.advance(1_000);
    expect(await operator.endpoints.pause({ keyId })).toMatchObject({ changed: false, endpoint: { state } });
    const wakes = stage.wakes();
    expect((await operator.endpoints.resume({ keyId })).endpoint.state).toEqual({ kind: 'active' });
    expect(stage.wakes()).toBe(wakes + 1);
    expect((await operator.endpoints.resume({ keyId })).changed).toBe(false);
    expect(stage.wakes()).toBe(wakes + 1);
  });

  it.each(['partner', 'consecutive_failures', 'no_success', 'gone', 'partner_disabled'] as const)(
    'of the operator replaces the reason %s, as the audit says',
    async (reason) => {
      const keyId = await stage.key();
      await savePaused(keyId, reason);
      await clock.advance(1_000);
      expect(await operator.endpoints.pause({ keyId })).toMatchObject({
        changed: true,
        endpoint: { state: { kind: 'paused', reason: 'operator', pausedAt: clock.now() } },
      });
      const { items } = await operator.audit.list({ object: { kind: 'endpoint', id: keyId } });
      expect(items[0]).toMatchObject({
        act: 'endpoints.pause',
        before: { state: 'paused', pausedReason: reason },
        after: { state: 'paused', pausedReason: 'operator' },
      });
    },
  );

  it('of the operator leaves the endpoint of a removed partner as it is', async () => {
    const keyId = await stage.key();
    await savePaused(keyId, 'partner_removed');
    expect(await operator.endpoints.pause({ keyId })).toMatchObject({
      changed: false,
      endpoint: { state: { reason: 'partner_removed' } },
    });
  });

  it('caused by failures ends with reset counters', async () => {
    const keyId = await stage.key();
    const endpoint = await storage.direct.endpoints.find(keyId);
    if (endpoint === null) throw new Error('The endpoint is there.');
    const at = clock.now();
    await storage.direct.endpoints.save({
      ...endpoint,
      state: { kind: 'paused', reason: 'consecutive_failures', pausedAt: at },
      health: {
        ...endpoint.health,
        consecutiveFailures: 50,
        firstFailureAt: at - 1,
        lastSuccessAt: at - 2,
      },
    });
    expect((await operator.endpoints.resume({ keyId })).endpoint).toMatchObject({
      state: { kind: 'active' },
      health: { consecutiveFailures: 0, firstFailureAt: null, lastSuccessAt: at - 2 },
    });
  });
});

it('operator.within has no test deliveries', async () => {
  const host = await stage.host();
  await host.run('begin');
  const commands = Object.keys(operator.within(host.tx).endpoints);
  await host.run('rollback');
  await host.close();
  expect(new Set(Object.keys(operator.endpoints))).toEqual(new Set([...commands, 'test']));
  expect(commands).not.toContain('test');
});

describe('a dead letter', () => {
  /** Creates a key with deliveries in a state. */
  async function withDeliveries(count: number, state: StoredDelivery['state']) {
    const [keyId, companyId] = [await stage.key(), await stage.company()];
    await operator.access.grant({ keyId, companyId });
    await operator.jobs.publish(Array.from({ length: count }, () => ({ ...PICKER, companyId })));
    const events = await stage.events(keyId);
    const rows = events.map(({ id, at }): StoredDelivery => {
      const made = newDelivery({ keyId, id: id as EventId, at }, at);
      return { ...made, state, attempts: 10, dueAt: state === 'pending' ? at : null };
    });
    await storage.direct.deliveries.save(rows);
    return { keyId, rows };
  }

  it('is resent with any number of others of its key, without blocking requests', async () => {
    const { keyId } = await withDeliveries(2_203, 'dead');
    const other = await withDeliveries(1, 'dead');
    const turns = countTurns();
    expect(await operator.deliveries.resend({ keyId, only: 'undelivered' })).toMatchObject({
      restarted: 2_203,
      operation: null,
    });
    expect(turns.end()).toBeGreaterThanOrEqual(2);
    expect(await operator.deliveries.resend({ keyId, only: 'undelivered' })).toMatchObject({ count: 0 });
    expect((await operator.deliveries.list({ keyId: other.keyId, state: 'dead' })).items).toHaveLength(1);
  });
});
