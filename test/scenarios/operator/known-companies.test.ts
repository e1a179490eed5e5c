/** Companies that a platform has before they publish a job. */
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createPartner } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';

const fixture = perTest<Fixture>(
  () => createFixture(),
  ({ close }) => close(),
);

const KNOWN = Array.from({ length: 300 }, (_, number) => ({
  id: `co_known_${number}` as const,
  name: `Bistro ${number}`,
}));

it('a key gets access to 300 companies before their first job, and then sees each job', async () => {
  const { operator } = fixture;
  const partner = await createPartner(fixture);
  const created = await operator.companies.createMissing({ companies: KNOWN, environment: 'production' });
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
  const created = await companies.createMissing({ companies: few, environment: 'production' });
  expect(created.map(({ id }) => id).toSorted()).toEqual(['co_known_5', 'co_known_6', 'co_known_8']);
  expect(await companies.find({ id: 'co_known_7' })).toMatchObject({ name: 'Old Name' });
  expect(await companies.createMissing({ companies: few, environment: 'production' })).toEqual([]);
  const { items } = await audit.list({ act: 'companies.createMissing' });
  expect(items).toMatchObject([{ count: 3, after: { environment: 'production' } }]);
});

it('creates none if one of them belongs to the sandbox', async () => {
  const { companies } = fixture.operator;
  await companies.create({ id: 'co_known_1', name: 'Sandbox', environment: 'sandbox' });
  await expect(
    companies.createMissing({ companies: KNOWN.slice(0, 3), environment: 'production' }),
  ).rejects.toMatchObject({ code: 'COMPANY_EXISTS', message: expect.stringContaining('co_known_1') });
  expect(await companies.find({ id: 'co_known_0' })).toBeNull();
});

it.each([
  [[], 'must be a list of 1 to 1000 companies'],
  [[{ id: 'co_a' }], 'companies[0].name'],
  [[{ id: 'key_a', name: 'A' }], 'companies[0].id'],
])('%j is refused: %s', async (companies, message) => {
  const call = fixture.operator.companies.createMissing({ companies, environment: 'production' } as never);
  await expect(call).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(message),
  });
});
