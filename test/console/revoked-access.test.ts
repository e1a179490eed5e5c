/** An actor for some partners sees a company only while one of them has active access to it. */
import { CONSOLE_RIGHTS, type ConsoleActor } from '@partner-hiring/console';
import type { PartnerId } from '@partner-hiring/core';
import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { crawl } from './crawl.js';
import { openPlatform, type Platform, visit } from './platform.js';
import { noticeOf } from './seed.js';

const platform = perTest(openPlatform, ({ close }) => close());

/** What the company says after the revocation. */
const NEWS = ['Renamed afterwards', 'Retitled afterwards', 'Internal afterwards'] as const;

function actorFor(...partnerIds: readonly PartnerId[]): ConsoleActor {
  return { id: 'user_2', name: 'Kim', rights: CONSOLE_RIGHTS.admin, partnerIds };
}

/** Ends the access of Globex. The company then changes. Returns the ids of its jobs. */
async function revoke({ fixture: { operator }, acme, globex }: Platform): Promise<readonly string[]> {
  const companyId = acme.companyId as `co_${string}`;
  await operator.access.revoke({ keyId: globex.keyId, companyId });
  const [name, title, internal] = NEWS;
  await operator.companies.rename({ id: companyId, name });
  await operator.jobs.update({ id: acme.jobId as `job_${string}`, changes: { title } });
  const job = await operator.jobs.publish({
    ...WAREHOUSE_JOB,
    companyId,
    title: internal,
    internalOnly: true,
  });
  return [acme.jobId, job.id];
}

it('no page tells somebody for one partner of a company after a revocation', async () => {
  const { fixture, acme, globex, linus } = platform;
  const visitor = visit(fixture);
  visitor.become(actorFor(globex.partnerId));
  const before = await crawl(visitor.get);
  expect(before.get(`/console/jobs/${acme.jobId}`)).toContain('Warehouse');
  expect(before.get(`/console/jobs?company=${acme.companyId}`)).toContain(acme.jobId);
  expect(before.get(`/console/companies/${acme.companyId}`)).toContain('Initech');

  const jobIds = await revoke(platform);
  const pages = await crawl(visitor.get);
  expect(pages.get(`/console/applications/${linus}`)).toContain(linus);
  expect(pages.get(`/console/applications?key=${globex.keyId}`)).toContain(linus);
  for (const [path, text] of pages) for (const news of NEWS) expect(text, path).not.toContain(news);
  const ways = [
    ...['/companies/', '/jobs?company='].map((path) => [path, acme.companyId, 'co_unknown'] as const),
    ...jobIds.map((id) => ['/jobs/', id, 'job_unknown'] as const),
  ];
  for (const [path, id, unknownId] of ways) {
    const [hidden, unknown] = [
      await visitor.get(`/console${path}${id}`),
      await visitor.get(`/console${path}${unknownId}`),
    ];
    expect([path, hidden.status, hidden.text]).toEqual([path, 404, unknown.text]);
  }
  expect((await visitor.get('/console/jobs')).text).not.toContain(acme.companyId);
  expect((await visitor.get(`/console/keys/${globex.keyId}`)).text).not.toContain('Grant again');
});

it('sees the company as long as another of the partners has access', async () => {
  const { fixture, acme, globex } = platform;
  const [jobId = ''] = await revoke(platform);
  const visitor = visit(fixture);
  visitor.become(actorFor(acme.partnerId, globex.partnerId));
  expect((await visitor.get('/console/jobs')).text).toContain('Renamed afterwards');
  expect((await visitor.get(`/console/jobs/${jobId}`)).text).toContain('Retitled afterwards');
});

it('only somebody for all partners grants revoked access again', async () => {
  const { fixture, acme, globex } = platform;
  await revoke(platform);
  const visitor = visit(fixture);
  const grant = () =>
    visitor.post(`/console/keys/${globex.keyId}/grant`, { company: acme.companyId, confirmed: 'yes' });
  const activeOf = async () =>
    (await fixture.operator.access.list({ keyId: globex.keyId })).items.filter(
      ({ revokedAt }) => revokedAt === null,
    );
  visitor.become(actorFor(globex.partnerId));
  expect((await grant()).status).toBe(404);
  // Acme makes the company visible.
  visitor.become(actorFor(acme.partnerId, globex.partnerId));
  expect((await grant()).text).toContain('was revoked');
  expect(await activeOf()).toEqual([]);
  visitor.become({ id: 'user_3', name: 'Max', rights: CONSOLE_RIGHTS.admin, partnerIds: 'all' });
  expect((await visitor.get(`/console/keys/${globex.keyId}`)).text).toContain('Grant again');
  expect(noticeOf(await grant())).toBe('The key has access now.');
  expect(await activeOf()).toHaveLength(1);
});

it('lists the active companies of a key behind many revoked ones', async () => {
  const { fixture, acme, globex } = platform;
  const { operator } = fixture;
  for (let index = 0; index < 51; index += 1) {
    const id = `co_0${String(index).padStart(4, '0')}` as const;
    await operator.companies.create({ id, name: `Former ${index}`, environment: 'production' });
    await operator.access.grant({ keyId: globex.keyId, companyId: id });
    await operator.access.revoke({ keyId: globex.keyId, companyId: id });
  }
  const visitor = visit(fixture);
  visitor.become(actorFor(globex.partnerId));
  for (const path of ['/console/jobs', `/console/keys/${globex.keyId}`]) {
    const { text } = await visitor.get(path);
    expect(text, path).toContain(acme.companyId);
    expect(text, path).not.toContain('Former');
  }
});
