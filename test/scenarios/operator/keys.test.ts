import { describe, expect, it } from 'vitest';
import type { KeyId } from '../../../packages/core/src/domain/ids.js';
import {
  hashSecret,
  isSecretUsable,
  isWellFormedSecret,
} from '../../../packages/core/src/domain/partner-key.js';
import { DAY_MS, HOUR_MS } from '../../../packages/core/src/domain/time.js';
import { openStage } from './stage.js';

const stage = await openStage();
const { operator, clock } = stage;

async function issued() {
  const partner = await operator.partners.create({ name: 'Acme ATS' });
  const { key, secret } = await operator.keys.issue({ partnerId: partner.id, environment: 'production' });
  return { partnerId: partner.id, keyId: key.id, secret };
}

/** Returns whether a secret authenticates now. */
async function opens(secret: string): Promise<boolean> {
  const [found] = await stage.storage.direct.keys.findByHashes([hashSecret(secret)]);
  return found ? isSecretUsable(found.secret, clock.now()) : false;
}

async function secretsOf(keyId: KeyId) {
  const { items: keys } = await operator.keys.list();
  return keys.find(({ key }) => key.id === keyId)?.secrets ?? [];
}

describe('a key', () => {
  it('is issued with a secret, and with a signing secret if it has an endpoint, each shown once', async () => {
    const { id } = await operator.partners.create({ name: 'Acme ATS' });
    const issued = await operator.keys.issue({
      partnerId: id,
      environment: 'sandbox',
      endpointUrl: 'https://ats.example/hooks',
    });
    expect(issued.secret).toMatch(/^pek_test_/);
    expect(isWellFormedSecret(issued.secret)).toBe(true);
    expect(issued.endpoint?.signingSecret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
    const shown = JSON.stringify([
      (await operator.keys.list()).items,
      (await operator.endpoints.list()).items,
    ]);
    expect(shown).not.toContain(issued.secret);
    expect(shown).not.toContain(hashSecret(issued.secret));
    expect(shown).not.toContain(issued.endpoint?.signingSecret);
  });

  it('is found by its id, as in the list', async () => {
    const { keyId } = await issued();
    await issued();
    const [listed] = (await operator.keys.list()).items.filter(({ key }) => key.id === keyId);
    const { usualLimits, ...found } = (await operator.keys.find({ id: keyId })) ?? {};
    expect(found).toEqual(listed);
    expect(usualLimits).toMatchObject({ submit_application: 10, list_jobs: 60 });
    expect(await operator.keys.find({ id: 'key_none' as KeyId })).toBeNull();
  });

  it('exists once per environment', async () => {
    const { partnerId } = await issued();
    await expect(operator.keys.issue({ partnerId, environment: 'production' })).rejects.toMatchObject({
      code: 'KEY_EXISTS',
    });
    await operator.keys.issue({ partnerId, environment: 'sandbox' });
    const environments = (await operator.keys.list({ partnerId })).items.map(({ key }) => key.environment);
    expect(environments).toEqual(['production', 'sandbox']);
  });

  it('is not found by its secret, which the error does not repeat', async () => {
    const { secret } = await issued();
    const keyId = secret as KeyId;
    const commands: readonly (() => Promise<unknown>)[] = [
      () => operator.keys.revoke({ id: keyId, all: true }),
      () => operator.keys.rotate({ id: keyId }),
      () => operator.endpoints.pause({ keyId }),
    ];
    for (const command of commands) {
      const error: unknown = await command().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'KEY_NOT_FOUND', message: expect.stringContaining('keys.list') });
      expect(String(error)).not.toContain(secret);
    }
    await expect(operator.keys.rotate({ id: 'key_none' as KeyId })).rejects.toThrow('key_none');
  });

  it('is not issued if its endpoint is rejected', async () => {
    const { id: partnerId } = await operator.partners.create({ name: 'Acme ATS' });
    const plain = { partnerId, environment: 'production', endpointUrl: 'http://ats.example/' } as const;
    await expect(operator.keys.issue(plain)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect((await operator.keys.list({ partnerId })).items).toEqual([]);
    await expect(
      operator.keys.issue({ partnerId: 'ptn_none', environment: 'production' }),
    ).rejects.toMatchObject({
      code: 'PARTNER_NOT_FOUND',
    });
  });
});

describe('a rotation', () => {
  it('keeps the old secret working for exactly 24 hours', async () => {
    const { keyId, secret } = await issued();
    const { secret: next } = await operator.keys.rotate({ id: keyId });
    await clock.advance(DAY_MS - 1);
    expect([await opens(secret), await opens(next)]).toEqual([true, true]);
    await clock.advance(1);
    expect([await opens(secret), await opens(next)]).toEqual([false, true]);
  });

  it('without overlap ends the old secret immediately', async () => {
    const { keyId, secret } = await issued();
    await operator.keys.rotate({ id: keyId, overlapMs: 0 });
    expect(await opens(secret)).toBe(false);
  });

  it('never extends an earlier overlap', async () => {
    const { keyId, secret } = await issued();
    await operator.keys.rotate({ id: keyId, overlapMs: HOUR_MS });
    await operator.keys.rotate({ id: keyId, overlapMs: 7 * DAY_MS });
    await clock.advance(HOUR_MS);
    expect(await opens(secret)).toBe(false);
    const states = (await secretsOf(keyId)).map(({ state }) => state);
    expect([...states].sort()).toEqual(['current', 'expired', 'replaced']);
  });

  it('does not bring a revoked secret back', async () => {
    const { keyId, secret } = await issued();
    await operator.keys.revoke({ id: keyId, all: true });
    await operator.keys.rotate({ id: keyId });
    expect(await opens(secret)).toBe(false);
  });

  it.each([-1, 7 * DAY_MS + 1, 0.5, Number.NaN])('cannot overlap for %d ms', async (overlapMs) => {
    const { keyId, secret } = await issued();
    await expect(operator.keys.rotate({ id: keyId, overlapMs })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect((await secretsOf(keyId)).map(({ lastFour }) => lastFour)).toEqual([secret.slice(-4)]);
  });
});

describe('a rotation for a secret that is known', () => {
  it('happens once', async () => {
    const { keyId } = await issued();
    const secrets = async () => (await operator.keys.find({ id: keyId }))?.secrets ?? [];
    const [first] = await secrets();
    const ifCurrent = first?.lastFour ?? '';
    await operator.keys.rotate({ id: keyId, ifCurrent });
    await expect(operator.keys.rotate({ id: keyId, ifCurrent })).rejects.toMatchObject({
      code: 'SECRET_REPLACED',
    });
    expect(await secrets()).toHaveLength(2);
    await operator.keys.revoke({ id: keyId, all: true });
    const [newest] = await secrets();
    await operator.keys.rotate({ id: keyId, ifCurrent: newest?.lastFour ?? '' });
    expect((await secrets()).filter(({ state }) => state === 'current')).toHaveLength(1);
  });

  it('happens once for signing secrets', async () => {
    const keyId = await stage.key();
    const idOf = async () => (await operator.endpoints.find({ keyId }))?.signingSecretId ?? '';
    const ifCurrent = await idOf();
    await operator.endpoints.rotateSecret({ keyId, ifCurrent });
    const now = await idOf();
    expect(now).not.toBe(ifCurrent);
    await expect(operator.endpoints.rotateSecret({ keyId, ifCurrent })).rejects.toMatchObject({
      code: 'SECRET_REPLACED',
    });
    expect(await idOf()).toBe(now);
  });
});

describe('a revocation', () => {
  it('ends only the secret with these last four characters', async () => {
    const { keyId, secret } = await issued();
    const { secret: next } = await operator.keys.rotate({ id: keyId });
    const { secrets } = await operator.keys.revoke({ id: keyId, secretLastFour: secret.slice(-4) });
    expect(secrets).toMatchObject([{ state: 'revoked', revokedAt: clock.now() }]);
    expect([await opens(secret), await opens(next)]).toEqual([false, true]);
  });

  it('of all secrets also ends replaced ones, and can be repeated', async () => {
    const { keyId, secret } = await issued();
    const { secret: next } = await operator.keys.rotate({ id: keyId });
    const first = await operator.keys.revoke({ id: keyId, all: true });
    expect([first.secrets.length, first.changed]).toEqual([2, true]);
    expect([await opens(secret), await opens(next)]).toEqual([false, false]);
    expect(await operator.keys.revoke({ id: keyId, all: true })).toEqual({ secrets: [], changed: false });
  });

  it('requires a secret of the key', async () => {
    const { keyId, secret } = await issued();
    const other = await issued();
    await expect(
      operator.keys.revoke({ id: keyId, secretLastFour: other.secret.slice(-4) }),
    ).rejects.toMatchObject({
      code: 'SECRET_NOT_FOUND',
    });
    for (const which of [{}, { all: false }, { all: 'false' }, { secretLastFour: 1234 }]) {
      const revoked = operator.keys.revoke({ id: keyId, ...which } as never);
      await expect(revoked).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
    await expect(operator.keys.revoke({ id: 'key_none', all: true })).rejects.toMatchObject({
      code: 'KEY_NOT_FOUND',
    });
    expect([await opens(secret), await opens(other.secret)]).toEqual([true, true]);
  });
});
