/** Companies that a platform has before they publish a job. */
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createPartner } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';

const fixture = perTest<Fixture>(
  () => createFixture(),
  ({ close }) => close(),
);

const KNOWN = Array.from({ length: 300 }, (_, number) => ({
  id: `co_known_${number}` as const,
  name: `Bistro ${number}`,
  environment: 'production' as const,
  ifMissing: true,
}));

it('a key gets access to 300 companies before their first job, and then sees each job', async () => {
  const { operator } = fixture;
  const partner = await createPartner(fixture);
  const created = await operator.companies.create(KNOWN);
  expect(created).toHaveLength(300);
  const companyIds = KNOWN.map(({ id }) => id);
  const granted = await operator.access.grant(
    companyIds.map((id) => ({ keyId: partner.keyId, companyId: id })),
  );
  expect(granted.every(({ changed }) => changed)).toBe(true);
  await operator.jobs.publish({
    companyId: 'co_known_299',
    title: 'Cook',
    location: { city: 'Reno', state: 'NV', country: 'US' },
    compensation: { currency: 'USD' },
  } as never);
  const { json } = await partner.get('/jobs');
  expect(json.data).toMatchObject([{ title: 'Cook', company: { name: 'Bistro 299' } }]);
});

it('creates only the missing ones, and leaves the names of the others', async () => {
  const { companies, audit } = fixture.operator;
  await companies.create({ id: 'co_known_7', name: 'Old Name', environment: 'production' });
  const few = [...KNOWN.slice(5, 9), ...KNOWN.slice(5, 6)];
  const created = await companies.create(few);
  const names = ['Bistro 5', 'Bistro 6', 'Old Name', 'Bistro 8', 'Bistro 5'];
  expect(created.map(({ name }) => name)).toEqual(names);
  for (const { id, ...company } of created) expect(await companies.find({ id })).toEqual({ id, ...company });
  expect(await companies.create(few)).toEqual(created);
  expect(await companies.create({ ...KNOWN[5], name: 'New', environment: 'production' })).toEqual(created[0]);
  const { items } = await audit.list({ act: 'companies.create' });
  expect(items).toMatchObject([{ count: 3 }, { count: null, after: { name: 'Old Name' } }]);
});

it('of several callers that create the same companies at once, each gets them, and one creates each', async () => {
  const { companies, audit } = fixture.operator;
  const calls = [KNOWN.slice(0, 30), KNOWN.slice(10, 40), KNOWN.slice(0, 40).toReversed()];
  const found = (await Promise.all(calls.map((call) => companies.create(call)))).flat();
  expect(found).toHaveLength(100);
  expect(new Set(found.map((company) => JSON.stringify(company))).size).toBe(40);
  const { items } = await audit.list({ act: 'companies.create' });
  expect(items.reduce((sum, { count }) => sum + (count ?? 1), 0)).toBe(40);
});

it.each([
  [
    'belongs to the sandbox',
    { environment: 'sandbox' },
    'exists in the environment sandbox. Choose another id.',
  ],
  ['exists, and is to be new', { ifMissing: false }, 'already exists. Rename it with companies.rename.'],
] as const)('creates none if one of them %s', async (_, changes, message) => {
  const { companies } = fixture.operator;
  const [first, second, third] = KNOWN.map((company) => ({ ...company, ...changes }));
  if (first === undefined || second === undefined || third === undefined) throw new Error('There are 300.');
  await companies.create(second);
  const again = [first, { ...second, environment: 'production' as const }, third];
  await expect(companies.create(again)).rejects.toMatchObject({
    code: 'COMPANY_EXISTS',
    message: expect.stringContaining(`${second.id} ${message}`),
  });
  expect(await companies.find({ id: first.id })).toBeNull();
  const twice = companies.create([first, first].map((company) => ({ ...company, ifMissing: false })));
  await expect(twice).rejects.toMatchObject({ code: 'COMPANY_EXISTS' });
});

const A = { id: 'co_a', name: 'A', environment: 'production' };

it.each([
  [Array.from({ length: 1_001 }, () => A), 'must be a list of at most 1000 companies'],
  [[{ ...A, name: undefined }], 'companies[0].name'],
  [[A, { ...A, id: 'key_a' }], 'companies[1].id'],
  [[{ ...A, id: undefined, ifMissing: true }], 'companies[0].id must be given together with ifMissing'],
])('a wrong list is refused: %#', async (companies, message) => {
  const call = fixture.operator.companies.create(companies as never);
  await expect(call).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(message),
  });
});

function company(name: string, environment: 'production' | 'sandbox' = 'production') {
  return fixture.operator.companies.create({ name, environment });
}

describe('companies by their names', () => {
  it('are found in any letter case, with their ids beside, each once', async () => {
    const [nord, sued] = [await company('Bistro  Nord'), await company('Café Süd')];
    const trial = await company('bistro nord', 'sandbox');
    const names = [' café SÜD', 'bistro nord', nord.id, 'Bistro Nord'];
    const { list } = fixture.operator.companies;
    const found = await list({ names, environment: 'production' });
    expect(found).toEqual({ items: [sued, nord], nextCursor: null });
    expect((await list({ names: [trial.id, nord.id, 'Café Süd'] })).items).toEqual([trial, nord, sued]);
    await expect(list({ names, limit: 2 })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(list({ names })).rejects.toMatchObject({
      code: 'COMPANY_NOT_FOUND',
      message: expect.stringContaining(
        `called "bistro nord", such as ${[nord.id, trial.id].toSorted().join(' and ')}`,
      ),
    });
    await expect(list({ names: ['Bistro Nort'] })).rejects.toThrow(
      'There is no company "Bistro Nort". Did you mean "Bistro  Nord"?',
    );
  });

  it('are listed by their environment, page by page', async () => {
    const { operator } = fixture;
    for (const environment of ['sandbox', 'production', 'sandbox', 'production', 'production'] as const)
      await operator.companies.create({ name: 'Depot', environment });
    const { items: all } = await operator.companies.list();
    const live = all.filter(({ environment }) => environment === 'production');
    expect(all.length - live.length).toBeGreaterThan(1);
    for (const limit of [1, 2, 3, 9]) {
      const rows: unknown[] = [];
      for await (const row of operator.companies.each({ environment: 'production', limit })) rows.push(row);
      expect(rows).toEqual(live);
    }
    const { nextCursor } = await operator.companies.list({ environment: 'production', limit: 1 });
    await expect(operator.companies.list({ cursor: nextCursor ?? '' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('are refused with every problem: unknown, of the other environment, and ambiguous', async () => {
    await company('Bistro Nord');
    // Two companies of one millisecond are in the order of their ids.
    const [one, two] = [await company('Depot'), await company('Depot')].map((depot) => depot.id).toSorted();
    const { id } = await company('Trial', 'sandbox');
    const names = ['Bistro Nrod', 'Depot', 'Trial', id];
    const refused = fixture.operator.companies.list({ names, environment: 'production' });
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
