/** Rows of an older release have no keys for their last name and e-mail address. The worker fills them in. */
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { expect, onTestFinished, test } from 'vitest';
import { PICKER } from '../operator/stage.js';

test('the worker makes rows of an older release findable by last name and by e-mail', async () => {
  // An older release knows one cell only.
  const database = await createTestDatabase(1);
  const clock = createFakeClock();
  const storage = await database.open(clock);
  const fixture = await createFixture({ storage }, {}, clock);
  const host = await database.host();
  onTestFinished(async () => {
    await host.close();
    await fixture.close();
    await database.remove();
  });
  const { operator } = fixture;
  const { id: partnerId } = await operator.partners.create({ name: 'Acme ATS' });
  const { key } = await operator.keys.issue({ partnerId, environment: 'production' });
  const company = await operator.companies.create({ name: 'Warehouse Inc', environment: 'production' });
  const job = await operator.jobs.publish({ ...PICKER, companyId: company.id });
  const insert = `insert into ph_application (id, key_id, job_id, company_id, source_application_id, status, stage,
    submitted_at, last_status_change_at, changed_at, first_name, last_name, email, phone, source, answers, resume_url,
    resume) values ('ID', '${key.id}', '${job.id}', '${company.id}', null, 'received', 'initial_outreach', 5, 5, 5, 'Ana', 'NAME',
    'EMAIL', '+14155550123', null, '{}', null, '{"kind":"none"}')`;
  const names = ['Müller', 'Muller', 'Smith'];
  const emails = ['Ana@Büro.example', 'ana@büro.example'.normalize('NFD'), 'ana@XN--bro-hoa.example'];
  for (const [number, name] of names.entries()) {
    const row = insert.replace('ID', `ej_app_old_${number}`).replace('NAME', name);
    await host.run(row.replace('EMAIL', emails[number] ?? ''));
  }
  const ids = ['ej_app_old_0', 'ej_app_old_1', 'ej_app_old_2'];
  const findByEmail = async () =>
    (await operator.applications.list({ email: 'ana@büro.example' })).items.map(({ id }) => id);
  expect(await findByEmail()).toEqual(ids);
  const find = async () => (await operator.applications.list({ lastNamePrefix: 'mull' })).items;
  expect(await find()).toEqual([]);
  await fixture.partnerHiring.worker.drain();
  expect(await findByEmail()).toEqual(ids);
  expect((await find()).map(({ id }) => id)).toEqual(['ej_app_old_0', 'ej_app_old_1']);
  await operator.candidates.erase({ applicationId: 'ej_app_old_0' });
  await storage.direct.applications.fillLastNameKeys(9);
  await storage.direct.candidates.fillEmailKeys(9);
  expect(await findByEmail()).toEqual(ids.slice(1));
  expect((await find()).map(({ id }) => id)).toEqual(['ej_app_old_1']);
  expect(await host.rows("select id from ph_application where last_name_key like 'mull%'")).toHaveLength(1);
  expect(
    await host.rows(
      'select count(*) as missing from ph_application where last_name_key is null or email_key is null',
    ),
  ).toEqual([{ missing: expect.toSatisfy((count: unknown) => Number(count) === 0) }]);
});
