/** The host chooses what a partner must prove before it gets a production key. */
import { createPartnerHiring, type Environment, type PartnerId } from '@partner-hiring/core';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { submission } from '@partner-hiring/test-support/partner';
import { afterAll, expect, it } from 'vitest';
import { joinPlatform } from './scripted-partner.js';

const fixture = await createFixture({ goLive: { required: ['submitted', 'applications_read'] } });
afterAll(() => fixture.close());

const issue = (partnerId: PartnerId, override?: { readonly reason: string }) =>
  fixture.operator.keys.issue({ partnerId, environment: 'production', override });

async function join() {
  const stage = await joinPlatform(fixture);
  const { items, key } = await fixture.operator.keys.readiness({ id: stage.partner.keyId });
  return { ...stage, items, partnerId: key.partnerId };
}

it('a partner whose sandbox key lacks items gets no production key, but a list of them with how to get each', async () => {
  const { partner, jobId, partnerId, items } = await join();
  expect(items.filter(({ isRequired }) => isRequired).map(({ item }) => item)).toEqual([
    'submitted',
    'applications_read',
  ]);
  const texts = (asked: string) => items.find(({ item }) => item === asked) ?? { reason: '', how: '' };
  const refusal = (item: string) =>
    expect.stringContaining(`${texts(item).reason} ${texts(item).how}`) as unknown as string;
  await expect(issue(partnerId)).rejects.toMatchObject({ code: 'NOT_READY', message: refusal('submitted') });
  await partner.submit(submission(jobId));
  await expect(issue(partnerId)).rejects.toMatchObject({ message: refusal('applications_read') });
  await expect(issue(partnerId)).rejects.not.toMatchObject({ message: refusal('submitted') });
  await partner.get('/applications');
  await expect(issue(partnerId)).resolves.toMatchObject({ key: { environment: 'production' } });
});

it('an override issues the key, and the audit has its reason and the open items', async () => {
  const { partner, partnerId } = await join();
  await partner.get('/applications');
  const { key } = await issue(partnerId, { reason: 'Certified by hand, ticket 815' });
  const { items } = await fixture.operator.audit.list({ object: { kind: 'key', id: key.id } });
  expect(items[0]?.after).toEqual({
    environment: 'production',
    endpoint: null,
    override: 'Certified by hand, ticket 815',
    open: ['submitted'],
  });
  await expect(issue(partnerId, { reason: ' ' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

it('a partner without a sandbox key has all items open, and a sandbox key needs none', async () => {
  const { id } = await fixture.operator.partners.create({ name: 'Newcomer' });
  await expect(issue(id)).rejects.toMatchObject({
    message: expect.stringContaining('The partner has no sandbox key.'),
  });
  const create = (environment: Environment) =>
    fixture.operator.partners.create({ name: 'Newest', keys: [{ environment }] });
  await expect(create('production')).rejects.toMatchObject({ code: 'NOT_READY' });
  await expect(create('sandbox')).resolves.toHaveProperty('keys.0.secret');
});

it('without required items, nothing changes', async () => {
  const free = await createFixture();
  const { id: partnerId } = await free.operator.partners.create({ name: 'Acme' });
  const { key } = await free.operator.keys.issue({ partnerId, environment: 'production' });
  const { items } = await free.operator.audit.list({ object: { kind: 'key', id: key.id } });
  expect(items[0]?.after).toEqual({ environment: 'production', endpoint: null });
  await free.close();
});

it.each([
  [{ required: ['submited'] }, /`goLive.required` has submited, but must be a list of some of jobs_cursor/],
  [{ required: 'submitted' }, /`goLive.required` has submitted/],
  [{ requires: [] }, /has no option `goLive.requires`/],
  [{ probeProduction: 'yes' }, /must be true or false/],
  [true, /`goLive` is true, but must be an object/],
])('goLive %j is refused at startup', async (goLive, message) => {
  const { storage } = { storage: { direct: {} } };
  const create = () => createPartnerHiring({ storage, secretKey: 'x'.repeat(64), goLive } as never);
  expect(create).toThrow(
    expect.objectContaining({ code: 'MISCONFIGURED', message: expect.stringMatching(message) }),
  );
});
