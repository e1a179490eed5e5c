/** Contract: 11, 4.7. A test for each step, by a receiver of our own. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, type Partner } from '@partner-hiring/test-support/partner';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SKEWS = [
  [300, true],
  [-300, true],
  [301, false],
  [-301, false],
] as const;

let fixture: Fixture;
let partner: Partner;
let delivery: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
beforeEach(async () => {
  fixture = await createFixture();
  partner = await createPartner(fixture);
  await createEmployer(fixture, partner);
  await fixture.partnerHiring.worker.drain();
  const [sent] = fixture.transport.attempts;
  if (sent === undefined) throw new Error('Nothing was sent.');
  delivery = sent;
});
afterEach(() => fixture.close());

/** Step 1 and the timestamp header beside it. */
function parsed(): { readonly t: string; readonly v1: string } {
  const [, t = '', v1 = ''] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(delivery.headers['X-Partner-Signature'] ?? '') ?? [];
  return { t, v1 };
}

function digest(input: string): string {
  return createHmac('sha256', partner.signingSecret ?? '')
    .update(input)
    .digest('hex');
}

const verify = (changes: Partial<Parameters<typeof verifyWebhook>[0]> = {}) =>
  verifyWebhook({ ...delivery, secret: partner.signingSecret ?? '', now: fixture.clock.now(), ...changes });

describe('Signature verification', () => {
  it('t and v1 are parsed from the signature header; t is also the timestamp header (step 1)', () => {
    expect(parsed().t).toBe(delivery.headers['X-Partner-Timestamp']);
    expect(parsed().v1).not.toBe('');
  });

  it('v1 is the lowercase hex HMAC-SHA256 of t, a dot and the raw bytes, under the signing secret (steps 2 and 3)', () => {
    const { t, v1 } = parsed();
    expect(v1).toBe(digest(`${t}.${delivery.body}`));
  });

  it('the digest is over the raw bytes, not over JSON that was serialized again (step 2)', async () => {
    const again = JSON.stringify(JSON.parse(delivery.body), null, 1);
    expect(parsed().v1).not.toBe(digest(`${parsed().t}.${again}`));
    expect(await verify({ body: again })).toMatchObject({ ok: false });
  });

  it('the digest has the length that a comparison in constant time needs (step 4)', () => {
    const { t, v1 } = parsed();
    const expected = Buffer.from(digest(`${t}.${delivery.body}`));
    expect(timingSafeEqual(Buffer.from(v1), expected)).toBe(true);
  });

  it.each(SKEWS)('whether it verifies %i s from the timestamp is %s (step 5)', async (seconds, ok) => {
    const now = Number(parsed().t) * 1_000 + seconds * 1_000;
    expect((await verify({ now })).ok).toBe(ok);
  });

  it('a delivery whose signature, timestamp or both fail is rejected (contract 4.7)', async () => {
    const { t, v1 } = parsed();
    const forged = v1.replace(/^./, (first) => (first === '0' ? '1' : '0'));
    const later = String(Number(t) + 1);
    const as = (time: string, signature: string) => ({
      headers: { 'X-Partner-Signature': `t=${time},v1=${signature}`, 'X-Partner-Timestamp': time },
    });
    expect((await verify(as(t, v1))).ok).toBe(true);
    for (const changes of [as(t, forged), as(later, v1), as(later, forged)]) {
      expect((await verify(changes)).ok).toBe(false);
    }
  });
});
