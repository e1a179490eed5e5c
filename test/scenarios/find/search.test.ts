/** `system.search`: one text, all groups. */
import { describe, expect, it } from 'vitest';
import type { PartnerId } from '../../../packages/core/src/domain/ids.js';
import { createSecret } from '../../../packages/core/src/domain/partner-key.js';
import type { SearchKind, SearchResult } from '../../../packages/core/src/features/search/search-types.js';
import { openStage, PICKER } from '../operator/stage.js';

const stage = await openStage();
const { operator } = stage;

/** A partner with a key, and a company with a job. */
async function place(partner: string, company: string, title: string) {
  const { id: partnerId } = await operator.partners.create({ name: partner });
  const { key, secret } = await operator.keys.issue({ partnerId, environment: 'production' });
  const { id: companyId } = await operator.companies.create({ name: company, environment: 'production' });
  await operator.access.grant({ keyId: key.id, companyId });
  const job = await operator.jobs.publish({ ...PICKER, companyId, title });
  let number = 0;
  const apply = async (firstName: string, lastName: string, email = `${firstName}@example.org`) => {
    number += 1;
    const candidate = { firstName, lastName, email, phone: `+1415555${String(1000 + number)}` };
    return stage.application(key.id, job, {
      candidate,
      sourceApplicationId: `ats ${partnerId}-${number}`,
    });
  };
  return { partnerId, keyId: key.id, secret, companyId, job, apply };
}

const acme = await place('Acmé Talent ATS', 'Nórdic Diner', 'Night picker');
const other = await place('Other ATS', 'Bakery Group', 'Baker (nights)');
const ada = await acme.apply('Ada', 'Reyes');
const mei = await acme.apply('Mei', 'Chen');
const cruz = await other.apply('Ana', 'de la Cruz');
const garcia = await other.apply('José', 'García');
const again = await other.apply('Ada', 'Reyes', 'ADA@example.org');

const orsted = await other.apply('Þór', 'Ørsted', 'orsted@example.org');

type Ids = Readonly<Record<string, readonly string[]>>;

/** The ids of each group that is not empty. */
function idsIn(result: SearchResult): Ids {
  const { people, keys, requests, applications, partners, companies, jobs, events, operations } = result;
  const groups: Ids = {
    people: people.map(({ application }) => application.id),
    keys: keys.map(({ key }) => key.id),
    requests: requests.map(({ requestId }) => requestId),
    applications: applications.map(({ id }) => id),
    partners: partners.map(({ id }) => id),
    companies: companies.map(({ id }) => id),
    jobs: jobs.map(({ id }) => id),
    events: events.map(({ id }) => id),
    operations: operations.map(({ id }) => id),
  };
  return Object.fromEntries(Object.entries(groups).filter(([, ids]) => ids.length > 0));
}

async function find(text: string, kinds?: readonly SearchKind[], partnerIds?: readonly PartnerId[]) {
  return idsIn(await operator.system.search({ text, kinds, partnerIds }));
}

const person = ({ id }: { readonly id: string }) => ({ people: [id], applications: [id] });

describe('a search', () => {
  it.each(['Ada Reyes', 'reyes ada', 'REYES, ADA', 'ad rey', 'Áda Réyes'])(
    'finds a person by %s, with all applications',
    async (text) => {
      expect(await find(text)).toEqual({ people: [again.id], applications: [again.id, ada.id] });
    },
  );

  it.each([
    ['Chen Mei', [mei.id]],
    ['mei chen', [mei.id]],
    ['jose garcia', [garcia.id]],
    ['Ana de la Cruz', [cruz.id]],
    ['cruz', []],
    ['de la cruz', [cruz.id]],
    ['MEI@EXAMPLE.org', [mei.id]],
    ['+1 415 555 1002', [garcia.id, mei.id]],
    ['(415) 555-1002', [garcia.id, mei.id]],
    ['0415 555.1003', [again.id]],
    ['tel:555-1003', [again.id]],
    ['1003', [again.id]],
    ['51003', [again.id]],
    ['415 555 1009', []],
    ['003', []],
    ['orsted thor', [orsted.id]],
    ['ØRSTED', [orsted.id]],
    ['Reyes Chen', []],
  ])('finds people by %s', async (text, found) => {
    const { people = [], applications = [] } = await find(text);
    expect({ people: people.toSorted(), applications: applications.toSorted() }).toEqual({
      people: found.toSorted(),
      applications: found.toSorted(),
    });
  });

  it('finds partners, companies and jobs by the beginnings of their words', async () => {
    expect(await find('acme')).toEqual({ partners: [acme.partnerId] });
    expect(await find('ats tal')).toEqual({ partners: [acme.partnerId] });
    expect(await find('group bakery')).toEqual({ companies: [other.companyId] });
    expect(await find('night')).toEqual({ jobs: [acme.job.id, other.job.id] });
    expect(await find('bak')).toEqual({ companies: [other.companyId], jobs: [other.job.id] });
    expect(await find('night baker')).toEqual({ jobs: [other.job.id] });
  });

  it('finds a renamed company and a retitled job, and not by their old names', async () => {
    const { companyId, job } = await place('Third ATS', 'Canteen', 'Cashier');
    await operator.companies.rename({ id: companyId, name: 'Mensa' });
    await operator.jobs.update({ id: job.id, changes: { title: 'Till clerk' } });
    expect([await find('canteen'), await find('cashier')]).toEqual([{}, {}]);
    expect([await find('mensa'), await find('till')]).toEqual([
      { companies: [companyId] },
      { jobs: [job.id] },
    ]);
  });

  it('finds an object by its id, and a key by its secret', async () => {
    await operator.applications.move({ id: ada.id });
    const [event] = await stage.events(acme.keyId);
    const operation = await operator.jobs.publishInSteps([{ ...PICKER, companyId: acme.companyId }]);
    expect(await find(ada.id)).toEqual({ applications: [ada.id] });
    expect(await find(`ats ${acme.partnerId}-1`)).toEqual({ applications: [ada.id] });
    expect(await find(acme.partnerId)).toEqual({ partners: [acme.partnerId] });
    expect(await find(acme.companyId)).toEqual({ companies: [acme.companyId] });
    expect(await find(acme.job.id)).toEqual({ jobs: [acme.job.id] });
    expect(await find(operation.id)).toEqual({ operations: [operation.id] });
    const byKey = { keys: [acme.keyId] };
    for (const text of [acme.keyId, acme.secret, `pek_live_…${acme.secret.slice(-4)}`])
      expect(await find(text), text.slice(0, 12)).toEqual(byKey);
    expect(await find(createSecret('production', new Uint8Array(32)))).toEqual({});
    expect(event).toBeUndefined();
  });

  it('finds an event and a request by their ids', async () => {
    const { partnerId } = await place('Eventful ATS', 'Hall', 'Usher');
    const keyId = await stage.key();
    const companyId = await stage.company();
    await operator.access.grant({ keyId, companyId });
    await operator.jobs.publish({ ...PICKER, companyId });
    const [event] = await stage.events(keyId);
    const eventId = event?.id ?? '';
    const { events } = await operator.system.search({ text: eventId });
    expect(events).toMatchObject([{ id: eventId, keyId, type: 'job.opened', partnerName: 'Acme ATS' }]);
    const requestId = '8d4e5a7c-1f2b-4c3d-9e0f-112233445566';
    await stage.storage.direct.requests.add([
      {
        requestId,
        keyId,
        at: stage.clock.now(),
        client: null,
        method: 'POST',
        route: null,
        status: 422,
        code: 'VALIDATION_ERROR',
        fields: [],
        durationMs: 1,
        applicationId: null,
        jobId: null,
        isReplay: false,
        count: 1,
        lastAt: stage.clock.now(),
      },
    ]);
    expect(await find(requestId.toUpperCase())).toEqual({ requests: [requestId] });
    const elsewhere = [partnerId];
    expect([await find(eventId, undefined, elsewhere), await find(requestId, undefined, elsewhere)]).toEqual([
      {},
      {},
    ]);
  });

  it('searches only the groups that are asked for', async () => {
    expect(await find('bak', ['job'])).toEqual({ jobs: [other.job.id] });
    expect(await find('ada reyes', ['application', 'partner'])).toEqual({});
    expect(await find(ada.id, ['job'])).toEqual({});
  });

  it('finds only what belongs to the partners that are asked for', async () => {
    const [own, foreign] = [[acme.partnerId], [other.partnerId]];
    expect(await find('ada reyes', undefined, own)).toEqual(person(ada));
    expect(await find('ada@example.org', undefined, own)).toEqual(person(ada));
    expect(await find('night', undefined, own)).toEqual({ jobs: [acme.job.id] });
    expect(await find('nor', undefined, own)).toEqual({ companies: [acme.companyId] });
    for (const text of ['acme', 'nordic', 'picker', 'chen mei', 'mei@example.org', acme.secret])
      expect(await find(text, undefined, foreign), text.slice(0, 12)).toEqual({});
    for (const id of [
      ada.id,
      acme.partnerId,
      acme.keyId,
      acme.companyId,
      acme.job.id,
      `ats ${acme.partnerId}-1`,
    ])
      expect(await find(id, undefined, foreign), id).toEqual({});
    await operator.access.revoke({ keyId: acme.keyId, companyId: acme.companyId });
    expect(await find('night', undefined, own)).toEqual({});
    await operator.access.grant({ keyId: acme.keyId, companyId: acme.companyId });
  });

  it('returns the newest 50 of a group, and says that there are more', async () => {
    const { companyId, apply } = await place('Many ATS', 'Many Inc', 'Manifold');
    const jobs = Array.from({ length: 60 }, (_, number) => ({
      ...PICKER,
      companyId,
      title: `Sorter ${number}`,
    }));
    await operator.jobs.publish(jobs);
    const found = await operator.system.search({ text: 'sorter' });
    expect([found.jobs.length, found.incomplete]).toEqual([50, ['job']]);
    expect(found.jobs[0]?.title).toBe('Sorter 59');
    for (let number = 0; number < 51; number += 1) await apply('Sam', 'Twin', `sam${number}@example.org`);
    const people = await operator.system.search({ text: 'sam twin' });
    expect([people.applications.length, people.incomplete]).toEqual([50, ['application']]);
  });

  it('no longer finds an erased person by name or address, but the application by its id', async () => {
    const gone = await other.apply('Zoe', 'Quill');
    await operator.candidates.erase({ applicationId: gone.id });
    expect([await find('zoe quill'), await find('zoe@example.org')]).toEqual([{}, {}]);
    expect(await find(gone.id)).toEqual({ applications: [gone.id] });
  });

  it.each([
    ['text', { text: ' x ' }],
    ['text', { text: 'x'.repeat(1_001) }],
    ['kinds', { text: 'ada', kinds: ['nobody'] }],
    ['partnerIds', { text: 'ada', partnerIds: [] }],
  ])('refuses an invalid %s', async (name, input) => {
    const refusal = operator.system.search(input as never);
    await expect(refusal).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(refusal).rejects.toThrow(name);
  });
});
