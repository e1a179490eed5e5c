import { SELF_SERVICE_PRESET } from '@partner-hiring/core';
import { fieldErrors } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { openDeliveryStage } from '../operator/deliveries-stage.js';

const HOUR_MS = 3_600_000;

const stage = perTest(
  () => openDeliveryStage({ selfService: SELF_SERVICE_PRESET }),
  (opened) => opened.close(),
);

function ask(path: string, body: unknown = {}) {
  const headers = { 'content-type': 'application/json' };
  return stage.partner.request('POST', `/webhook-endpoint${path}`, { body: JSON.stringify(body), headers });
}

describe('deliveries', () => {
  it('are listed newest first, with states and pages, and without a byte of the answers', async () => {
    const [first, second] = await stage.record(2);
    if (first === undefined || second === undefined) throw new Error('Two events are needed.');
    stage.fail([first]);
    await stage.drain();
    const page = await stage.partner.get('/webhook-endpoint/deliveries?limit=1');
    expect(page.json.data).toMatchObject([{ eventId: second, type: 'job.opened', state: 'delivered' }]);
    const next = await stage.partner.get(
      `/webhook-endpoint/deliveries?limit=1&cursor=${String(page.json.next_cursor)}`,
    );
    expect(next.json.data).toMatchObject([
      { eventId: first, state: 'pending', attempts: 1, lastFailure: { kind: 'status', status: 500 } },
    ]);
    expect(next.text).not.toContain('it is broken');
    const pending = await stage.partner.get('/webhook-endpoint/deliveries?state=pending');
    expect(pending.json.data).toMatchObject([{ eventId: first }]);
    const forged = await stage.partner.get('/webhook-endpoint/deliveries?cursor=forged');
    expect(fieldErrors(forged)).toEqual(['cursor: invalid_cursor']);
  });

  it('are resent one by one', async () => {
    const [id] = await stage.record(1);
    await stage.drain();
    const reply = await ask(`/deliveries/${id}/resend`);
    expect([reply.status, reply.json]).toEqual([200, { eventId: id, state: 'pending' }]);
    await stage.drain();
    expect(stage.sent()).toEqual([id, id]);
  });

  it('since an instant are resent by one operation at a time', async () => {
    const events = await stage.record(3);
    await stage.drain();
    const since = new Date(stage.clock.now() - HOUR_MS).toISOString();
    const both = await Promise.all([ask('/resend', { since }), ask('/resend', { since })]);
    const [refused, accepted] = both.toSorted((one, other) => other.status - one.status);
    expect([accepted?.status, accepted?.json]).toEqual([202, { since, state: 'running' }]);
    expect(refused && fieldErrors(refused)).toEqual([': already_running']);
    await stage.drain();
    expect(stage.sent().toSorted()).toEqual(expect.arrayContaining([...events, ...events].toSorted()));
    expect((await ask('/resend', { since })).status).toBe(202);
  });
});
