/** Renaming, disabling, enabling and removing a partner, and bringing one in. */
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

describe('a disabled partner', () => {
  it('gets 401 from the next request on, with the bytes of every other cause, until it is enabled', async () => {
    const stage = await openStage();
    const { operator, partnerId } = stage;
    expect(await statusOf(stage)).toBe(200);
    expect(await operator.partners.update({ id: partnerId, disabled: true })).toMatchObject({
      changed: true,
    });
    const refused = await stage.partner.get('/jobs');
    const unknown = await as(stage, 'junk', '/jobs');
    expect([refused.status, refused.text]).toEqual([401, unknown.text]);
    expect(await operator.partners.update({ id: partnerId, disabled: true })).toMatchObject({
      changed: false,
    });
    expect(await operator.partners.update({ id: partnerId, disabled: false })).toMatchObject({
      changed: true,
    });
    expect(await statusOf(stage)).toBe(200);
    expect(await operator.partners.update({ id: partnerId, disabled: false })).toMatchObject({
      changed: false,
    });
  });

  it('gets no event, and gets all of them once it is enabled', async () => {
    const stage = await openStage();
    const { operator, partnerId, keyId } = stage;
    await operator.partners.update({ id: partnerId, disabled: true });
    expect(await stateOf(stage, keyId)).toMatchObject({ kind: 'paused', reason: 'partner_disabled' });
    const ids = await stage.record(2);
    await stage.drain();
    expect(stage.sent()).toEqual([]);
    await operator.partners.update({ id: partnerId, disabled: false });
    await stage.drain();
    expect(stage.sent().toSorted()).toEqual([...ids].toSorted());
  });

  it('keeps an endpoint paused that was paused before', async () => {
    const stage = await openStage();
    const { operator, partnerId, keyId } = stage;
    await operator.endpoints.pause({ keyId });
    await operator.partners.update({ id: partnerId, disabled: true });
    await expect(operator.endpoints.resume({ keyId })).rejects.toMatchObject({ code: 'PARTNER_DISABLED' });
    await operator.partners.update({ id: partnerId, disabled: false });
    expect(await stateOf(stage, keyId)).toMatchObject({ kind: 'paused', reason: 'operator' });
  });

  it('keeps an endpoint paused that the operator pauses while it is disabled', async () => {
    const stage = await openStage();
    const { operator, partnerId, keyId } = stage;
    await operator.partners.update({ id: partnerId, disabled: true });
    expect(await operator.endpoints.pause({ keyId })).toMatchObject({ changed: true });
    await operator.partners.update({ id: partnerId, disabled: false });
    expect(await stateOf(stage, keyId)).toMatchObject({ kind: 'paused', reason: 'operator' });
  });

  it('gets neither a key nor an endpoint', async () => {
    const stage = await openStage();
    const { operator, partnerId } = stage;
    await operator.partners.update({ id: partnerId, disabled: true });
    const issued = operator.keys.issue({ partnerId, environment: 'sandbox' });
    await expect(issued).rejects.toMatchObject({ code: 'PARTNER_DISABLED' });
    expect((await operator.keys.list({ partnerId })).items).toHaveLength(1);
  });

  it('leaves its applications to the host', async () => {
    const stage = await openStage();
    const { operator, partnerId } = stage;
    const { items: jobs } = await operator.jobs.list({ companyId: await companyOf(stage) });
    const reply = await stage.partner.submit(submission(jobs[0]?.id ?? (await publish(stage))));
    const id = reply.json.id as `ej_app_${string}`;
    await operator.partners.update({ id: partnerId, disabled: true });
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

async function publish(stage: Stage) {
  await stage.record(1);
  const { items } = await stage.operator.jobs.list({ companyId: await companyOf(stage) });
  const [job] = items;
  if (job === undefined) throw new Error('There is no job.');
  return job.id;
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
  const companyId = await companyOf(stage);
  const { items } = await stage.operator.jobs.list({ companyId });
  const [job] = items;
  if (job === undefined) throw new Error('There is no job.');
  const { title, location, compensation, schedule } = job;
  return { companyId, title, location, compensation, schedule, headcount: { total: 1 } };
}

it('a renamed partner has its new name wherever its key is named', async () => {
  const { operator, partnerId: id, keyId } = await openStage();
  expect(await operator.partners.update({ id, name: 'Acme Talent' })).toMatchObject({ changed: true });
  expect(await operator.keys.find({ id: keyId })).toMatchObject({ label: 'Acme Talent (production)' });
  expect(await operator.partners.update({ id, name: 'Acme Talent' })).toMatchObject({ changed: false });
});

describe('a partner that is brought in', () => {
  it('has its keys, companies and endpoints at once, and one entry in the audit', async () => {
    const stage = await openStage();
    const { operator } = stage;
    const companyIds = [await companyOf(stage), (await company(stage, 'Depot')).id];
    const ada: Pick<Actor, 'id'> = { id: 'ada' };
    const { partner, production, sandbox, access } = await operator.as(ada).partners.onboard({
      name: 'Globex ATS',
      companyIds,
      productionEndpointUrl: 'https://globex.example/hooks',
      sandboxEndpointUrl: 'https://test.globex.example/hooks',
    });
    expect(access.map(({ access: { companyId } }) => companyId)).toEqual(companyIds);
    expect(production?.endpoint?.signingSecret).toMatch(/^whsec_/);
    expect(sandbox?.endpoint?.signingSecret).toMatch(/^whsec_/);
    for (const issued of [production, sandbox]) {
      expect((await as(stage, issued?.secret ?? '', '/jobs')).status).toBe(200);
    }
    const { items: acts } = await operator.audit.list({ actorId: 'ada' });
    expect(acts).toMatchObject([
      {
        act: 'partners.onboard',
        objects: [
          { kind: 'partner', id: partner.id },
          { kind: 'key', id: production?.key.id },
          { kind: 'key', id: sandbox?.key.id },
          ...companyIds.map((id) => ({ kind: 'company', id })),
        ],
        after: { name: 'Globex ATS', environments: ['production', 'sandbox'], companies: 2 },
      },
    ]);
    expect(JSON.stringify(acts)).not.toContain(production?.secret);
  });

  it('leaves nothing behind if one part is refused', async () => {
    const stage = await openStage();
    const { operator } = stage;
    const sandboxCompany = await company(stage, 'Trial', 'sandbox');
    const before = (await operator.partners.list()).items.length;
    const refused = [
      [{ companyIds: ['co_unknown'] }, 'COMPANY_NOT_FOUND'],
      [{ companyIds: [sandboxCompany.id] }, 'ENVIRONMENT_MISMATCH'],
      [{ productionEndpointUrl: 'http://globex.example/' }, 'INVALID_INPUT'],
      [{ sandboxEndpointUrl: 'https://a:b@globex.example/' }, 'INVALID_INPUT'],
      [{ environment: 'sandbox', productionEndpointUrl: 'https://globex.example/' }, 'INVALID_INPUT'],
      [{ environment: 'production', sandboxEndpointUrl: 'https://globex.example/' }, 'INVALID_INPUT'],
    ] as const;
    for (const [part, code] of refused) {
      await expect(operator.partners.onboard({ name: 'Globex ATS', ...part })).rejects.toMatchObject({
        code,
      });
    }
    expect((await operator.partners.list()).items).toHaveLength(before);
  });

  it('exists once if the call is repeated with its id', async () => {
    const { operator } = await openStage();
    const id = 'ptn_globex' as const;
    await operator.partners.onboard({ id, name: 'Globex ATS', environment: 'sandbox' });
    const again = operator.partners.onboard({ id, name: 'Globex ATS', environment: 'sandbox' });
    await expect(again).rejects.toMatchObject({ code: 'PARTNER_EXISTS' });
    expect((await operator.keys.list({ partnerId: id })).items).toHaveLength(1);
  });
});

function company({ operator }: Stage, name: string, environment: 'production' | 'sandbox' = 'production') {
  return operator.companies.create({ name, environment });
}

describe('companies by their names', () => {
  it('are found in any letter case, with their ids beside, each once', async () => {
    const stage = await openStage();
    const [nord, sued] = [await company(stage, 'Bistro  Nord'), await company(stage, 'Café Süd')];
    const found = await stage.operator.companies.resolve({
      names: [' café SÜD', 'bistro nord', nord.id, 'Bistro Nord'],
      environment: 'production',
    });
    expect(found.map(({ id }) => id)).toEqual([sued.id, nord.id]);
  });

  it('are refused with every problem: unknown, of the other environment, and ambiguous', async () => {
    const stage = await openStage();
    await company(stage, 'Bistro Nord');
    // Two companies of one millisecond are in the order of their ids.
    const [one, two] = [await company(stage, 'Depot'), await company(stage, 'Depot')]
      .map((depot) => depot.id)
      .toSorted();
    const { id } = await company(stage, 'Trial', 'sandbox');
    const names = ['Bistro Nrod', 'Depot', 'Trial', id];
    const refused = stage.operator.companies.resolve({ names, environment: 'production' });
    await expect(refused).rejects.toMatchObject({
      code: 'COMPANY_NOT_FOUND',
      message: [
        'There is no production company "Bistro Nrod". Did you mean "Bistro Nord"?',
        `Several companies are called "Depot", such as ${one} and ${two}. Write the id.`,
        'There is no production company "Trial".',
        `There is no production company "${id}".`,
      ].join(' '),
    });
  });
});
