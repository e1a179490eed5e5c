/** Creating, renaming, disabling, enabling and removing a partner. */
import type { Actor, KeyId, PartnerId } from '@partner-hiring/core';
import { send, submission } from '@partner-hiring/test-support/partner';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type DeliveryStage, openDeliveryStage } from '../operator/deliveries-stage.js';

interface Stage extends DeliveryStage {
  readonly partnerId: PartnerId;
}

async function openStage(): Promise<Stage> {
  const stage = await openDeliveryStage({ sandbox: true });
  onTestFinished(() => stage.close());
  const found = await stage.operator.keys.find({ id: stage.keyId });
  if (found === null) throw new Error('The key is missing.');
  return { ...stage, partnerId: found.key.partnerId };
}

const statusOf = async (stage: Stage) => (await stage.partner.get('/jobs')).status;

const as = (stage: Stage, secret: string, path: string) =>
  send(stage, 'GET', path, { headers: { authorization: `Bearer ${secret}` } });

const stateOf = async ({ operator }: Stage, keyId: KeyId) =>
  (await operator.endpoints.find({ keyId }))?.state;

/** Disables or enables the partner. Returns whether that changed it. */
const turn = async ({ operator, partnerId: id }: Stage, disabled: boolean) =>
  (await operator.partners.update({ id, disabled })).changed;

describe('a disabled partner', () => {
  it('gets 401 from the next request on, with the bytes of every other cause, until it is enabled', async () => {
    const stage = await openStage();
    expect(await statusOf(stage)).toBe(200);
    expect(await turn(stage, true)).toBe(true);
    const refused = await stage.partner.get('/jobs');
    const unknown = await as(stage, 'junk', '/jobs');
    expect([refused.status, refused.text]).toEqual([401, unknown.text]);
    expect(await turn(stage, true)).toBe(false);
    expect(await turn(stage, false)).toBe(true);
    expect(await statusOf(stage)).toBe(200);
    expect(await turn(stage, false)).toBe(false);
  });

  it('gets no event, and gets all of them once it is enabled', async () => {
    const stage = await openStage();
    const { keyId } = stage;
    await turn(stage, true);
    expect(await stateOf(stage, keyId)).toMatchObject({ kind: 'paused', reason: 'partner_disabled' });
    const ids = await stage.record(2);
    await stage.drain();
    expect(stage.sent()).toEqual([]);
    await turn(stage, false);
    await stage.drain();
    expect(stage.sent().toSorted()).toEqual([...ids].toSorted());
  });

  it.each(['before', 'while'])(
    'keeps an endpoint paused that was paused %s it was disabled',
    async (when) => {
      const stage = await openStage();
      const { operator, keyId } = stage;
      const pause = async () => expect((await operator.endpoints.pause({ keyId })).changed).toBe(true);
      if (when === 'before') await pause();
      await turn(stage, true);
      if (when === 'before')
        await expect(operator.endpoints.resume({ keyId })).rejects.toMatchObject({
          code: 'PARTNER_DISABLED',
        });
      else await pause();
      await turn(stage, false);
      expect(await stateOf(stage, keyId)).toMatchObject({ kind: 'paused', reason: 'operator' });
    },
  );

  it('gets neither a key nor an endpoint', async () => {
    const stage = await openStage();
    const { operator, partnerId } = stage;
    await turn(stage, true);
    const issued = operator.keys.issue({ partnerId, environment: 'sandbox' });
    await expect(issued).rejects.toMatchObject({ code: 'PARTNER_DISABLED' });
    expect((await operator.keys.list({ partnerId })).items).toHaveLength(1);
  });

  it('leaves its applications to the host', async () => {
    const stage = await openStage();
    const { operator } = stage;
    const { items: jobs } = await operator.jobs.list({ companyId: await companyOf(stage) });
    const reply = await stage.partner.submit(submission(jobs[0]?.id ?? (await publish(stage))));
    const id = reply.json.id as `ej_app_${string}`;
    await turn(stage, true);
    await operator.applications.move({ id });
    const decided = await operator.applications.decide({ id, decision: 'accepted' });
    expect(decided).toMatchObject({ changed: true });
  });
});

async function companyOf({ operator, keyId }: Stage) {
  const { items } = await operator.access.list({ keyId });
  const [access] = items;
  if (access === undefined) throw new Error('The key has no access.');
  return access.companyId;
}

async function findJob(stage: Stage) {
  const { items } = await stage.operator.jobs.list({ companyId: await companyOf(stage) });
  const [job] = items;
  if (job === undefined) throw new Error('There is no job.');
  return job;
}

async function publish(stage: Stage) {
  await stage.record(1);
  return (await findJob(stage)).id;
}

describe('a removed partner', () => {
  it('is hidden, its secrets are revoked for good, and its applications stay', async () => {
    const stage = await openStage();
    const { operator, partnerId, keyId } = stage;
    const reply = await stage.partner.submit(submission(await publish(stage)));
    const removal = await operator.partners.remove({ id: partnerId });
    expect(removal).toMatchObject({ changed: true, revokedSecrets: 1 });
    expect(await statusOf(stage)).toBe(401);
    const { items: listed } = await operator.partners.list();
    expect(listed.map(({ id }) => id)).not.toContain(partnerId);
    expect((await operator.partners.list({ onlyRemoved: true })).items).toMatchObject([{ id: partnerId }]);
    const [secret] = (await operator.keys.find({ id: keyId }))?.secrets ?? [];
    expect(secret).toMatchObject({ state: 'revoked' });
    const application = await operator.applications.find({ id: reply.json.id as `ej_app_${string}` });
    expect(application).toMatchObject({ keyId });
    const again = await operator.partners.remove({ id: partnerId });
    expect(again).toMatchObject({ changed: false, revokedSecrets: 0 });
  });

  it('gets no event anymore: those that wait are never sent, and no new ones are recorded', async () => {
    const stage = await openStage();
    const { operator, partnerId, keyId } = stage;
    await operator.endpoints.pause({ keyId });
    await stage.record(1);
    await operator.partners.remove({ id: partnerId });
    await stage.clock.advance(1_000);
    await operator.jobs.publish({ ...(await jobOf(stage)) });
    await stage.drain();
    expect(stage.sent()).toEqual([]);
    expect((await operator.deliveries.list({ keyId })).items).toHaveLength(2);
  });

  it('cannot be enabled, disabled or given a key again', async () => {
    const stage = await openStage();
    const { operator, partnerId: id, keyId } = stage;
    await operator.partners.remove({ id });
    const refused = [
      () => operator.partners.update({ id, disabled: false }),
      () => operator.partners.update({ id, disabled: true }),
      () => operator.keys.issue({ partnerId: id, environment: 'sandbox' }),
      () => operator.endpoints.resume({ keyId }),
    ];
    for (const each of refused) await expect(each()).rejects.toMatchObject({ code: 'PARTNER_REMOVED' });
  });
});

async function jobOf(stage: Stage) {
  const { companyId, title, location, compensation, schedule } = await findJob(stage);
  return { companyId, title, location, compensation, schedule, headcount: { total: 1 } };
}

it('a renamed partner has its new name wherever its key is named', async () => {
  const { operator, partnerId: id, keyId } = await openStage();
  expect(await operator.partners.update({ id, name: 'Acme Talent' })).toMatchObject({ changed: true });
  expect(await operator.keys.find({ id: keyId })).toMatchObject({ label: 'Acme Talent (production)' });
  expect(await operator.partners.update({ id, name: 'Acme Talent' })).toMatchObject({ changed: false });
});

describe('a partner that is created with keys', () => {
  it('has its keys, companies and endpoints at once, and one entry in the audit', async () => {
    const stage = await openStage();
    const { operator } = stage;
    const companyIds = [await companyOf(stage), (await company(stage, 'Depot')).id];
    const ada: Pick<Actor, 'id'> = { id: 'ada' };
    const { id, keys } = await operator.as(ada).partners.create({
      name: 'Globex ATS',
      keys: [
        { environment: 'sandbox', endpointUrl: 'https://test.globex.example/hooks' },
        { environment: 'production', endpointUrl: 'https://globex.example/hooks', companyIds },
      ],
    });
    expect(keys.map(({ access }) => access.map(({ access: { companyId } }) => companyId))).toEqual([
      companyIds,
      [],
    ]);
    for (const { secret, endpoint } of keys) {
      expect(endpoint?.signingSecret).toMatch(/^whsec_/);
      expect((await as(stage, secret, '/jobs')).status).toBe(200);
    }
    const { items: acts } = await operator.audit.list({ actorId: 'ada' });
    expect(acts).toMatchObject([
      {
        act: 'partners.create',
        objects: [
          { kind: 'partner', id },
          ...keys.map(({ key }) => ({ kind: 'key', id: key.id })),
          ...companyIds.map((each) => ({ kind: 'company', id: each })),
        ],
        after: { name: 'Globex ATS', environments: ['production', 'sandbox'], companies: 2 },
      },
    ]);
    expect(JSON.stringify(acts)).not.toContain(keys[0]?.secret);
  });

  it('leaves nothing behind if one part is refused', async () => {
    const stage = await openStage();
    const { operator } = stage;
    const trial = [(await company(stage, 'Trial', 'sandbox')).id];
    const production = [await companyOf(stage)];
    const before = (await operator.partners.list()).items.length;
    const [live, test] = [{ environment: 'production' }, { environment: 'sandbox' }] as const;
    const refused = [
      [[{ ...live, companyIds: ['co_unknown'] }], 'COMPANY_NOT_FOUND', 'co_unknown'],
      [[{ ...live, companyIds: trial }], 'ENVIRONMENT_MISMATCH', 'The production key is'],
      [[live, { ...test, companyIds: production }], 'ENVIRONMENT_MISMATCH', 'The sandbox key is'],
      [[{ ...live, endpointUrl: 'http://a.example/' }], 'INVALID_INPUT', 'endpointUrl of the production key'],
      [
        [live, { ...test, endpointUrl: 'https://a:b@a.example/' }],
        'INVALID_INPUT',
        'of the sandbox key must not',
      ],
      [[{ ...test, endpointUrl: 'a' }], 'INVALID_INPUT', 'keys[0].endpointUrl must be an absolute URL'],
      [[live, live], 'INVALID_INPUT', 'keys must not contain two keys of one environment'],
    ] as const;
    for (const [keys, code, text] of refused) {
      const created = operator.partners.create({ name: 'Globex ATS', keys });
      await expect(created).rejects.toMatchObject({ code, message: expect.stringContaining(text) });
    }
    expect((await operator.partners.list()).items).toHaveLength(before);
  });

  it('exists once if the call is repeated with its id', async () => {
    const { operator } = await openStage();
    const globex = { id: 'ptn_globex', name: 'Globex ATS', keys: [{ environment: 'sandbox' }] } as const;
    await operator.partners.create(globex);
    await expect(operator.partners.create(globex)).rejects.toMatchObject({ code: 'PARTNER_EXISTS' });
    expect((await operator.keys.list({ partnerId: globex.id })).items).toHaveLength(1);
  });
});

function company({ operator }: Stage, name: string, environment: 'production' | 'sandbox' = 'production') {
  return operator.companies.create({ name, environment });
}
