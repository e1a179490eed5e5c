/** What the host and the contact of a partner hear of acts with its API key. */
import { SELF_SERVICE_PRESET } from '@partner-hiring/core';
import { createPartner, type Partner } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { openDeliveryStage } from '../operator/deliveries-stage.js';

const HOUR_MS = 3_600_000;

const stage = perTest(
  () => openDeliveryStage({ selfService: { ...SELF_SERVICE_PRESET, url: true, rotateSecret: true } }),
  (opened) => opened.close(),
);

function send(method: 'PUT' | 'POST', path: string, body: unknown, partner: Partner = stage.partner) {
  const headers = { 'content-type': 'application/json' };
  return partner.request(method, `/webhook-endpoint${path}`, { body: JSON.stringify(body), headers });
}

const putUrl = (url: string, partner?: Partner) => send('PUT', '', { url }, partner);

async function setContact(): Promise<void> {
  const { operator, keyId } = stage;
  const id = (await operator.keys.find({ id: keyId }))?.key.partnerId ?? 'ptn_none';
  await operator.partners.update({ id, contact: { name: 'Robin Field', email: 'robin@ats.example' } });
}

it('a new URL on the same host is told apart in alert, message and audit, which never have the path', async () => {
  const { operator, keyId, partner } = stage;
  await setContact();
  await putUrl('https://ats.example.org/webhooks/two?token=s3cret');
  await stage.drain();
  expect(stage.alerts).toMatchObject([
    {
      kind: 'endpoint_url_changed',
      origin: 'https://ats.example.org',
      oldOrigin: 'https://ats.example.org',
      isSameHost: true,
      message: { text: expect.stringContaining('another path of the same host, https://ats.example.org') },
    },
  ]);
  await operator.endpoints.setUrl({ keyId, restore: true });
  await putUrl('https://new.example/hooks');
  await putUrl('https://new.example:8443/hooks');
  await createPartner(stage, { endpoint: false }).then((other) => putUrl('https://new.example/hooks', other));
  await stage.drain();
  expect(stage.alerts.slice(1)).toMatchObject([
    { isSameHost: false, oldOrigin: 'https://ats.example.org', origin: 'https://new.example' },
    { isSameHost: false, oldOrigin: 'https://new.example', origin: 'https://new.example:8443' },
    { isSameHost: false, oldOrigin: null },
  ]);
  const { items } = await operator.audit.list({ object: { kind: 'endpoint', id: partner.keyId } });
  const origin = 'https://ats.example.org';
  const same = { before: { origin }, after: { origin, path: 'another path of the same host' } };
  expect(items.slice(-3)).toMatchObject([
    { before: { origin }, after: { origin: 'https://new.example' } },
    { act: 'endpoints.setUrl', ...same, after: { ...same.after, restored: true } },
    { act: 'endpoints.setUrl', ...same },
  ]);
  expect(items.at(-3)?.after).not.toHaveProperty('path');
  expect(JSON.stringify([items, stage.alerts])).not.toMatch(/s3cret|hooks/);
});

it('the contact hears of many rotations in two messages, and the host of each at once', async () => {
  await setContact();
  for (let time = 0; time < 5; time += 1) await send('POST', '/rotate-secret', { overlapSeconds: 0 });
  await stage.drain();
  const told = () => stage.alerts.flatMap((alert) => ('message' in alert ? [alert.message?.text] : []));
  expect([stage.alerts.length, told().length]).toEqual([5, 1]);
  await stage.clock.advance(HOUR_MS);
  await stage.drain();
  expect(told()).toEqual([expect.any(String), expect.stringContaining('stands for 4 of its kind')]);
  expect(stage.alerts.at(-1)).toMatchObject({
    kind: 'messages_collected',
    keyId: stage.keyId,
    count: 4,
    last: { kind: 'signing_secret_rotated' },
  });
  await stage.clock.advance(HOUR_MS);
  await stage.drain();
  expect(stage.alerts).toHaveLength(6);
});
