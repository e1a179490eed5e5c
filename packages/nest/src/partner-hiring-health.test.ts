import { StorageUnavailable } from '@partner-hiring/core';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import { fakePartnerHiring } from '@partner-hiring/test-support/servers/nest-server';
import { describe, expect, it } from 'vitest';
import { PartnerHiringHealth } from './index.js';

function healthWith(silence: () => Promise<never>): PartnerHiringHealth {
  return new PartnerHiringHealth(fakePartnerHiring(createHandlerUnderTest(), { silence }));
}

describe('the health of the partner API', () => {
  it('is up while the storage answers, and down from the moment on that the process stops', async () => {
    const { partnerHiring, close } = await createFixture();
    const health = new PartnerHiringHealth(partnerHiring);
    expect(await health.check()).toEqual({ partner_hiring: { status: 'up' } });
    expect(await health.check('partners')).toEqual({ partners: { status: 'up' } });
    partnerHiring.stopSoon();
    expect(await health.check()).toEqual({
      partner_hiring: { status: 'down', message: 'The process is stopping.' },
    });
    await close();
  });

  it('is down while the storage is unavailable, without telling its address', async () => {
    const health = healthWith(() => Promise.reject(new StorageUnavailable('connect ECONNREFUSED 10.0.0.1')));
    expect(await health.check()).toEqual({
      partner_hiring: { status: 'down', message: 'The storage is unavailable.' },
    });
  });

  it('is down when the storage is too slow', async () => {
    const health = healthWith(() => new Promise(() => {}));
    expect(await health.check('api', { timeoutMs: 1 })).toEqual({
      api: { status: 'down', message: 'The storage did not answer within 1 ms.' },
    });
  });

  it('rejects with an unexpected error', async () => {
    const health = healthWith(() => Promise.reject(new TypeError('a bug')));
    await expect(health.check()).rejects.toThrow('a bug');
  });
});
