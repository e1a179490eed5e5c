/** No page of the portal shows anything of the platform's own, or of other partners. */
import { createPartner, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { expect, it } from 'vitest';
import { crawl } from '../console/crawl.js';
import { PERSONAL } from '../console/platform.js';
import {
  openSystemPlatform,
  type SystemPlatform,
  seedFailing,
  seedParked,
  seedWorkers,
} from '../console/seed.js';
import { startProgram } from './acts-of-partner.js';
import { actorOf, openPortal } from './portal.js';
import { exampleFormsOf, examplePagesOf, findObjectsOf } from './portal-pages.js';

const platform = perTest(openSystemPlatform, ({ close }) => close());

/** Every text that only the platform knows has this mark. */
const MARK = 'XMARKX';

/** Fills everything that the platform knows about the partner, and about others, with marked texts. */
async function mark({ fixture, acme, globex, hooli, alan, ada }: SystemPlatform): Promise<void> {
  const { operator, transport, pass } = fixture;
  const staff = operator.as({ id: `${MARK}-id`, name: `${MARK}-name`, reason: `${MARK}-reason` });
  const companyId = acme.companyId as `co_${string}`;
  for (const { partnerId } of [globex, hooli]) {
    await staff.partners.update({ id: partnerId, name: `${MARK}-partner-${partnerId}` });
  }
  const other = await staff.companies.create({ name: `${MARK}-company`, environment: 'production' });
  await staff.access.grant({ keyId: globex.keyId, companyId: other.id });
  const hidden = await staff.jobs.publish({ ...WAREHOUSE_JOB, companyId: other.id, title: `${MARK}-job` });
  const internal = await staff.jobs.publish({ ...WAREHOUSE_JOB, companyId });
  await staff.jobs.setVisibility({ id: internal.id, visibility: 'internal_only' });
  // While the job was public, its partners were told its title.
  await staff.jobs.update({ id: internal.id, changes: { title: `${MARK}-internal` } });
  await staff.applications.move({ id: alan, stage: 'under_review' });
  await staff.access.raiseLimit({ keyId: acme.keyId, companyId });
  await staff.candidates.reveal({ applicationId: ada });
  const program = await startProgram(platform);
  for (const jobId of [hidden.id, internal.id, acme.jobId]) {
    await program.submit({ jobId, sourceApplicationId: 'ats-4711' });
  }
  await program.submit({ consentToContact: false, sourceApplicationId: '', resumeUrl: 'none', jobId: 7 });
  await createPartner(fixture, { partnerId: acme.partnerId, sandbox: true });
  await seedWorkers(platform);
  await seedParked(platform);
  await seedFailing(platform);
  transport.answerWith(() => ({ ...answered(500), excerpt: `${MARK}-excerpt` }));
  await staff.deliveries.resend({ keyId: acme.keyId, since: 0 });
  await pass(60_000);
  await staff.endpoints.pause({ keyId: acme.keyId });
  await staff.keys.rotate({ id: acme.keyId });
}

/** Words of the operator, which a partner's developer has never seen. */
const FOREIGN_WORDS =
  /`|\b(?:operator|worker|dead letters?|backlog|hosts?|inbox|console|partner(?:['’]s)? own|partner key|the partner|[a-z]+\.(?:find|list|rotate|resume|pause))\b/i;

/** What a page says, without data and the texts of errors in examples. */
function wordsOf(page: string): string {
  return page
    .replaceAll(/<(pre|textarea|code|option|script|title|head|header)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<[^>]*>/g, ' ');
}

it('shows no staff, reason, inbox, answer, candidate, other partner or other company', async () => {
  await mark(platform);
  const { fixture, acme } = platform;
  const visitor = openPortal(fixture, actorOf(acme.partnerId));
  const own = await findObjectsOf(platform, acme.partnerId);
  const pages = new Map(await crawl(visitor.get, '/portal'));
  for (const path of examplePagesOf(own)) pages.set(path, (await visitor.get(`/portal${path}`)).text);
  for (const [path, fields] of exampleFormsOf(own)) {
    pages.set(`POST ${path}`, (await visitor.post(`/portal${path}`, fields)).text);
  }
  expect(pages.size).toBeGreaterThan(30);
  const whole = [...pages.values()].join('\n');
  for (const shown of ['ats-4711', 'JOB_NOT_FOUND', 'VALIDATION_ERROR', 'UTC</time> by us', 'Initech'])
    expect(whole).toContain(shown);
  const hidden = [MARK, ...PERSONAL, 'Perlman', 'worker-dead', 'the host is closed', 'down for maintenance'];
  const leaks = [...pages].flatMap(([path, text]) =>
    hidden.filter((each) => text.includes(each)).map((each) => `${path} has ${each}`),
  );
  expect(leaks).toEqual([]);
  const foreign = [...pages].flatMap(([path, text]) => {
    const [word] = FOREIGN_WORDS.exec(wordsOf(text)) ?? [];
    return word === undefined ? [] : [`${path} says ${word}`];
  });
  expect(foreign).toEqual([]);
});
