/** The sealing key changes while events flow, and no partner needs a new signing secret. */

import { randomBytes } from 'node:crypto';
import { createSecretBox, type PartnerHiringOptions } from '@partner-hiring/core';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  WAREHOUSE_JOB,
} from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { createTestDatabase, type HostTransaction } from '@partner-hiring/test-support/storages';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { expect, it } from 'vitest';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const OLD_ID = createSecretBox(OLD).keyIds[0];
const NEW_ID = createSecretBox(NEW).keyIds[0];

async function openPlace() {
  const database = await createTestDatabase();
  const clock = createFakeClock();
  const opened: Fixture[] = [];
  return {
    database,
    clock,
    /** Opens a process with these keys, or this box. */
    async open(
      sealingKeys: readonly Uint8Array[],
      options: Partial<PartnerHiringOptions<HostTransaction>> = {},
    ) {
      const storage = await database.open(clock);
      const keys = options.secretBox === undefined ? { sealingKeys } : {};
      const fixture = await createFixture({ storage, secretKey: undefined, ...keys, ...options }, {}, clock);
      opened.push(fixture);
      return fixture;
    },
    async close() {
      for (const fixture of opened) await fixture.close();
      await database.remove();
    },
  };
}

const place = perTest(openPlace, ({ close }) => close());

async function sealingOf({ operator }: Fixture) {
  return (await operator.system.status({ sealing: true })).sealing;
}

/** How many deliveries of a process a secret verifies, and how many it does not. */
async function verified({ transport }: Fixture, secretOf: (body: string) => string | null | undefined) {
  const counts = { ok: 0, failed: 0 };
  for (const { headers, body } of transport.attempts) {
    const { ok } = await verifyWebhook({
      headers,
      body,
      secret: secretOf(body) ?? '',
      now: place.clock.now(),
    });
    counts[ok ? 'ok' : 'failed'] += 1;
  }
  return counts;
}

it('the sealing key changes step by step while events flow, and each delivery is verified with the old secret', async () => {
  const before = await place.open([OLD]);
  const partner = await createPartner(before);
  const { companyId } = await createEmployer(before, partner);
  const others: Partner[] = [];
  for (let count = 0; count < 120; count += 1) others.push(await createPartner(before));
  const publish = (by: Fixture) => by.operator.jobs.publish({ ...WAREHOUSE_JOB, companyId });
  const sent = (by: Fixture) => verified(by, () => partner.signingSecret);
  before.partnerHiring.worker.start();
  await place.clock.advance(2_000);
  expect(await sent(before)).toEqual({ ok: 1, failed: 0 });

  // A process with the new key is not enough: the running worker would not open what it seals.
  const both = await place.open([NEW, OLD]);
  const behind = await sealingOf(both);
  expect(behind).toMatchObject({
    sealingKeyId: NEW_ID,
    counts: [{ sealingKeyId: OLD_ID, secrets: 121, isKnown: true }],
    left: 121,
    behind: [{ pid: process.pid, sealing: { keyIds: [OLD_ID], failingSince: null } }],
  });
  await expect(both.operator.secrets.reseal()).rejects.toMatchObject({
    code: 'MISCONFIGURED',
    message: expect.stringMatching(`process ${process.pid}\\).*Nothing was changed`),
  });
  await publish(before);
  await place.clock.advance(2_000);
  expect(await sent(before)).toEqual({ ok: 2, failed: 0 });
  await before.partnerHiring.worker.stop();

  both.partnerHiring.worker.start();
  await place.clock.advance(0);
  await publish(both);
  const first = await both.operator.secrets.reseal();
  expect(first).toMatchObject({ resealed: 100, failed: [] });
  await publish(both);
  expect((await sealingOf(both))?.left).toBe(21);
  // The command was stopped here. It begins again.
  const again = await both.operator.secrets.reseal();
  expect(again).toEqual({ ...first, resealed: 0 });
  const [last] = await Promise.all([
    both.operator.secrets.reseal({ after: again.next ?? undefined }),
    publish(both),
  ]);
  expect(last).toEqual({ resealed: 21, failed: [], next: null });
  expect(await sealingOf(both))?.toMatchObject({
    counts: [{ sealingKeyId: NEW_ID, secrets: 121 }],
    left: 0,
    behind: [],
  });
  await place.clock.advance(2_000);
  expect(await sent(both)).toEqual({ ok: 3, failed: 0 });
  await both.partnerHiring.worker.stop();

  const after = await place.open([NEW]);
  await publish(after);
  await after.partnerHiring.worker.drain();
  expect(await sent(after)).toEqual({ ok: 1, failed: 0 });
  const { items } = await after.operator.audit.list({ act: 'secrets.reseal' });
  expect(items.map(({ count, after: change }) => [count, change])).toEqual([
    [21, { sealingKeyId: NEW_ID }],
    [100, { sealingKeyId: NEW_ID }],
  ]);
}, 30_000);

it('a secret that is rotated while it is sealed anew stays rotated, and the next batch seals the rest', async () => {
  const server = await place.open([OLD]);
  const partner = await createPartner(server);
  const { companyId } = await createEmployer(server, partner);
  const { keyId } = partner;
  const inner = createSecretBox([NEW, OLD]);
  let rotate: (() => Promise<unknown>) | null = null;
  let rotated: unknown;
  const resealing = await place.open([], {
    secretBox: {
      ...inner,
      seal: async (secret, context) => {
        const act = rotate;
        rotate = null;
        if (act !== null) rotated = await act();
        return inner.seal(secret, context);
      },
    },
  });
  await server.partnerHiring.worker.drain();
  rotate = () => server.operator.endpoints.rotateSecret({ keyId });
  expect(await resealing.operator.secrets.reseal()).toEqual({ resealed: 0, failed: [], next: null });
  expect((await sealingOf(resealing))?.left).toBe(2);
  const current = await server.operator.endpoints.find({ keyId });
  expect(await resealing.operator.secrets.reseal()).toMatchObject({ resealed: 2 });
  // A form that was opened before still rotates this secret.
  const resealed = await resealing.operator.endpoints.find({ keyId });
  expect(resealed?.signingSecretId).toBe(current?.signingSecretId);

  const { signingSecret } = rotated as { readonly signingSecret: string };
  const after = await place.open([NEW]);
  await after.operator.jobs.publish({ ...WAREHOUSE_JOB, companyId });
  await after.partnerHiring.worker.drain();
  for (const secret of [partner.signingSecret, signingSecret])
    expect(await verified(after, () => secret)).toEqual({ ok: 1, failed: 0 });
  const ifCurrent = current?.signingSecretId;
  await after.operator.endpoints.rotateSecret({ keyId, ifCurrent });
  await expect(after.operator.endpoints.rotateSecret({ keyId, ifCurrent })).rejects.toMatchObject({
    code: 'SECRET_REPLACED',
  });
});

it('secrets of a lost key are named, and all others are sealed anew', async () => {
  const lost = await place.open([randomBytes(32)]);
  const orphan = await createPartner(lost);
  const server = await place.open([OLD]);
  const partner = await createPartner(server);
  const both = await place.open([NEW, OLD]);
  expect((await sealingOf(both))?.counts.map(({ isKnown }) => isKnown).toSorted()).toEqual([false, true]);
  expect(await both.operator.secrets.reseal()).toEqual({
    resealed: 1,
    failed: [orphan.keyId],
    next: null,
  });
  expect((await sealingOf(both))?.left).toBe(1);
  expect(partner.keyId).not.toBe(orphan.keyId);
});

it('expired secrets are not sealed anew, but removed', async () => {
  const server = await place.open([OLD]);
  const { keyId } = await createPartner(server);
  await server.operator.endpoints.rotateSecret({ keyId, overlapMs: 60_000 });
  await place.clock.advance(60_000);
  const both = await place.open([NEW, OLD]);
  expect((await sealingOf(both))?.left).toBe(2);
  expect(await both.operator.secrets.reseal()).toMatchObject({ resealed: 1 });
  expect(await sealingOf(both))?.toMatchObject({ left: 0, counts: [{ secrets: 1 }] });
});

it('a secret box that does not name its keys is told what it lacks', async () => {
  const inner = createSecretBox(OLD);
  const { seal, open } = inner;
  const server = await place.open([], { secretBox: { seal, open } });
  const lacking = { code: 'MISCONFIGURED', message: expect.stringContaining('`keyIds` and `keyIdOf`') };
  await expect(sealingOf(server)).rejects.toMatchObject(lacking);
  await expect(server.operator.secrets.reseal()).rejects.toMatchObject(lacking);
});
