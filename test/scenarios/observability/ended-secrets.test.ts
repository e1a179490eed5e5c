/** An operator sees the use of an ended secret, without the secret. */

import { send, times } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { openStage } from './stage.js';

const stage = perTest(openStage, ({ close }) => close());

const REVOKED = 'A request carried a revoked secret. Find out who still has it.';
const EXPIRED = 'A request carried an expired secret. The partner must switch to the new one.';

async function uses() {
  return stage.by('partner_hiring.secret.ended_uses', 'partner_hiring.secret.end');
}

describe('the use of an ended secret', () => {
  it('is counted for each request and logged once a minute', async () => {
    const { fixture, partner, lines } = stage;
    await partner.get('/jobs');
    await fixture.operator.keys.revoke({ id: partner.keyId, all: true });
    const replies = await times(3, () => partner.get('/jobs'));
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(await uses()).toEqual({ revoked: 3 });
    expect(lines(REVOKED)).toHaveLength(1);
    expect(lines(REVOKED)[0]).toMatchObject({
      level: 'warn',
      fields: {
        keyId: partner.keyId,
        lastFour: partner.secret.slice(-4),
        end: 'revoked',
        endedAt: new Date(fixture.clock.now()).toISOString(),
      },
    });
    expect(JSON.stringify(lines(REVOKED))).not.toContain(partner.secret);
    await stage.expectNothingPrivate(5_000);
  });

  it('is reported as expired after a rotation', async () => {
    const { fixture, partner, lines } = stage;
    await fixture.operator.keys.rotate({ id: partner.keyId, overlapMs: 0 });
    expect((await partner.get('/jobs')).status).toBe(401);
    expect(await uses()).toEqual({ expired: 1 });
    expect(lines(EXPIRED)).toMatchObject([
      { level: 'warn', fields: { keyId: partner.keyId, end: 'expired' } },
    ]);
  });

  it('is not reported for working, unknown or missing secrets', async () => {
    const { fixture, partner } = stage;
    await fixture.operator.keys.rotate({ id: partner.keyId, overlapMs: 60_000 });
    expect((await partner.get('/jobs')).status).toBe(200);
    expect((await send(fixture, 'GET', '/jobs')).status).toBe(401);
    const headers = { authorization: `Bearer pek_live_${'a'.repeat(49)}` };
    expect((await send(fixture, 'GET', '/jobs', { headers })).status).toBe(401);
    expect(await uses()).toEqual({});
    expect([...stage.lines(REVOKED), ...stage.lines(EXPIRED)]).toEqual([]);
  });
});
