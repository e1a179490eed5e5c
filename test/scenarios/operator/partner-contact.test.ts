/** The contact of a partner: set, cleared, kept out of audit and log, and told before a secret ends. */

import { createFixture } from '@partner-hiring/test-support/fixture';
import { createPartner } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import type { PartnerMessage } from '../../../packages/core/src/domain/alert.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const CONTACT = { name: 'Robin Field', email: 'robin@ats.example' };
const logged: string[] = [];
const log = (fields: object, message: string) => void logged.push(JSON.stringify([fields, message]));

const stage = perTest(
  async () => {
    logged.length = 0;
    const fixture = await createFixture({
      logger: { debug: log, info: log, warn: log, error: log },
      portalUrl: 'https://hiring.example.com/portal',
      support: { email: 'partners@hiring.example.com' },
    });
    const { keyId } = await createPartner(fixture);
    const key = await fixture.operator.keys.find({ id: keyId });
    if (key === null) throw new Error('The key exists.');
    return { ...fixture, keyId, id: key.key.partnerId };
  },
  ({ close }) => close(),
);

const set = (contact: typeof CONTACT | null = CONTACT) =>
  stage.operator.partners.update({ id: stage.id, contact });

const drain = () => stage.partnerHiring.worker.drain();

function messages(): readonly PartnerMessage[] {
  return stage.alerts.flatMap((alert) => ('message' in alert ? (alert.message ?? []) : []));
}

describe('the contact of a partner', () => {
  it('is set, replaced and cleared, and the audit says that without the person', async () => {
    const { operator, id } = stage;
    expect((await operator.partners.find({ id }))?.contact).toBeNull();
    expect(await set()).toMatchObject({ changed: true, partner: { id, contact: CONTACT } });
    expect((await set({ ...CONTACT, name: ' Robin Field ' })).changed).toBe(false);
    const kim = { name: 'Kim Ash', email: 'kim@ats.example' };
    await stage.pass(1_000);
    expect((await set(kim)).changed).toBe(true);
    expect((await operator.partners.find({ id }))?.contact).toEqual(kim);
    await stage.pass(1_000);
    expect((await set(null)).partner.contact).toBeNull();
    expect((await set(null)).changed).toBe(false);
    const { items } = await operator.audit.list({ object: { kind: 'partner', id }, limit: 3 });
    const act = 'partners.update';
    expect(items.map((entry) => [entry.act, entry.before, entry.after])).toEqual([
      [act, { contact: 'set' }, { contact: 'none' }],
      [act, { contact: 'set' }, { contact: 'replaced' }],
      [act, { contact: 'none' }, { contact: 'set' }],
    ]);
    expect(JSON.stringify(items)).not.toMatch(/robin|field|kim|ash\b/i);
  });

  it('survives a new name, and is deleted with the partner, which then gets none', async () => {
    const { operator, id } = stage;
    await set();
    await operator.partners.update({ id, name: 'Acme Talent' });
    await operator.partners.update({ id, disabled: true });
    await operator.partners.update({ id, disabled: false });
    expect((await operator.partners.find({ id }))?.contact).toEqual(CONTACT);
    await operator.partners.remove({ id });
    expect((await operator.partners.find({ id }))?.contact).toBeNull();
    await expect(set()).rejects.toMatchObject({ code: 'PARTNER_REMOVED' });
  });

  it.each([
    [{ name: '', email: CONTACT.email }, 'contact.name must be text of 1 to 200 characters'],
    [{ name: 'Robin\nBcc: x', email: CONTACT.email }, 'contact.name must be text'],
    [{ name: 'Robin', email: 'robin' }, 'contact.email must be an e-mail address'],
    [{ name: 'Robin', email: '\udfffrobin@ats.example' }, 'contact.email must be an e-mail address'],
    [{ name: 'Robin', email: 'Robin <robin@ats.example>' }, 'contact.email must be an e-mail address'],
    [{ name: 'Robin', email: 'robin@ats.example\nBcc: x@evil.example' }, 'contact.email must be'],
    [{ name: 'Robin', email: `${'r'.repeat(64)}@${'ats.'.repeat(50)}example` }, 'of at most 254 characters'],
  ])('is refused with the name of the field: %j', async (contact, message) => {
    await expect(set(contact)).rejects.toThrow(message);
    expect((await stage.operator.partners.find({ id: stage.id }))?.contact).toBeNull();
  });
});

describe('before an old secret ends', () => {
  it('the contact is told once, twelve hours before, of the API key and of the signing secret', async () => {
    const { operator, keyId, clock } = stage;
    await set();
    const { key, secrets } = (await operator.keys.find({ id: keyId })) ?? { key: null, secrets: [] };
    await operator.keys.rotate({ id: keyId });
    await operator.endpoints.rotateSecret({ keyId, overlapMs: 48 * HOUR_MS });
    const endsAt = clock.now() + 24 * HOUR_MS;
    await stage.pass(12 * HOUR_MS - 1);
    expect(stage.alerts).toEqual([]);
    await stage.pass(1);
    expect(stage.alerts).toMatchObject([
      { kind: 'key_secret_ending', lastFour: secrets[0]?.lastFour, endsAt },
    ]);
    await stage.pass(24 * HOUR_MS - 1, 8 * HOUR_MS);
    expect(stage.alerts).toHaveLength(1);
    await stage.pass(48 * HOUR_MS, 16 * HOUR_MS);
    expect(messages().map(({ subject, link }) => [subject, link])).toEqual([
      ['Your old production API key ends soon', `https://hiring.example.com/portal/keys/${key?.id}`],
      [
        'The old signing secret of your production webhook endpoint ends soon',
        `https://hiring.example.com/portal/endpoints/${keyId}`,
      ],
    ]);
    expect(messages()[0]?.text).toContain('partners@hiring.example.com');
    expect(logged.filter((line) => line.includes('ending'))).toHaveLength(2);
    expect(logged.join('\n')).not.toMatch(/robin|field|Hello/i);
  });

  it('nobody is told of a secret that was revoked, or that ended earlier by another rotation', async () => {
    const { operator, keyId } = stage;
    await set();
    await operator.keys.rotate({ id: keyId });
    await operator.keys.revoke({ id: keyId, all: true });
    await operator.endpoints.rotateSecret({ keyId });
    await operator.endpoints.rotateSecret({ keyId, overlapMs: 0 });
    await stage.pass(48 * HOUR_MS, 12 * HOUR_MS);
    expect(stage.alerts).toEqual([]);
  });

  it.each([
    [1, 0],
    [2, 1],
  ])(
    'of %i other secrets that end within an hour, one revoked, the contact has %i more message',
    async (others, more) => {
      const { operator, keyId } = stage;
      await set();
      await operator.keys.rotate({ id: keyId });
      for (let other = 0; other < others; other += 1) {
        await stage.pass(MINUTE_MS, MINUTE_MS);
        await operator.keys.rotate({ id: keyId });
      }
      const { secrets = [] } = (await operator.keys.find({ id: keyId })) ?? {};
      const [last] = secrets.toSorted((one, other) => (other.expiresAt ?? 0) - (one.expiresAt ?? 0));
      await operator.keys.revoke({ id: keyId, secretLastFour: last?.lastFour ?? '' });
      await stage.pass(14 * HOUR_MS, HOUR_MS);
      expect(messages()).toHaveLength(1 + more);
      expect(stage.alerts.map(({ kind }) => kind)).toEqual([
        ...Array(others).fill('key_secret_ending'),
        ...Array(more).fill('messages_collected'),
      ]);
    },
  );

  it('nobody is told without a contact, and a short overlap is told of at once', async () => {
    const { operator, keyId } = stage;
    await operator.keys.rotate({ id: keyId });
    await stage.pass(48 * HOUR_MS, 12 * HOUR_MS);
    await set();
    await stage.pass(48 * HOUR_MS, 12 * HOUR_MS);
    expect(stage.alerts).toEqual([]);
    await operator.keys.rotate({ id: keyId, overlapMs: HOUR_MS });
    await drain();
    await drain();
    expect(stage.alerts).toMatchObject([
      { kind: 'key_secret_ending', message: { to: { name: 'Robin Field' } } },
    ]);
  });
});
