import { randomUUID } from 'node:crypto';
import type { ApplicationId, IssuedKey } from '@partner-hiring/core';
import { DemoFailure, expectEqual, expectThat } from '../server/demo/demo-failure.js';
import { createPartnerClient, type PartnerClient, rowsOf } from '../server/demo/partner-client.js';
import type { PartnerReceiver } from '../server/demo/partner-receiver.js';
import type { Step } from '../server/demo/storyteller.js';
import type { Platform } from './platform.js';
import { createRecruiter, type Recruiter } from './recruiter.js';
import { countRows, describeRows, expectSameRows } from './rows.js';

const OPENING = { id: 'job_picker', employerId: 'co_harbor', title: 'Warehouse picker' };
const GOOD_TERMS = { recruiter: 'Rosa', hourlyCents: 2_600, taxClass: 'standard' };

/** The participants. */
export interface Cast {
  readonly platform: Platform;
  readonly partnerSchema: string;
  readonly receiver: PartnerReceiver;
  readonly step: Step;
  /** The address of the platform's application. */
  readonly address: string;
  /** Signs the recruiter in. */
  readonly staffToken: string;
}

/** A hire that fails twice and then succeeds. */
export async function playStory(cast: Cast): Promise<void> {
  const { platform, receiver, step, address } = cast;
  const recruiter = createRecruiter(address, cast.staffToken);
  const rows = () => countRows(platform.pool, cast.partnerSchema);

  const key = await step('The platform gives a partner access', () => letIn(platform, receiver.webhookUrl));
  receiver.setSecrets([key.endpoint?.signingSecret ?? '']);
  const partner = createPartnerClient(`${address}/api/v1/external`, key.secret);

  await step('An opening and its job are one commit, with Kysely', () =>
    publish(recruiter, partner, receiver),
  );
  await step('An error of the partner API rolls back the opening', () =>
    publishForNobody(recruiter, platform),
  );
  const id = await step('The partner submits a candidate', () => submit(partner));
  await step('The platform has heard of the candidate, once', () => expectCandidate(platform, id));
  await step('The recruiter starts the review', () => screen(recruiter, partner, id));

  const before = await rows();
  await step('A rejected payroll entry rolls back the hire', async () => {
    const reply = await recruiter.hire(id, { ...GOOD_TERMS, hourlyCents: 0 });
    expectEqual(reply.status, 409, 'The reply');
    expectSameRows(await rows(), before);
    return { value: undefined, told: `409 ${reply.text}; still ${describeRows(before)}` };
  });
  await step('So does an entry that only the commit rejects', async () => {
    const reply = await recruiter.hire(id, { ...GOOD_TERMS, taxClass: 'unknown' });
    expectEqual(reply.status, 409, 'The reply');
    expectSameRows(await rows(), before);
    return { value: undefined, told: `409 ${reply.text}; still ${describeRows(before)}` };
  });
  await step('The partner has not seen either attempt', () => expectUndecided(partner, id));

  await step('The recruiter hires: one commit', async () => {
    const reply = await recruiter.hire(id, GOOD_TERMS);
    expectEqual(reply.status, 201, `The reply (${reply.text})`);
    const after = await rows();
    expectSameRows(after, { hired: 1, hires: 1, payroll: 1, accepted: 1, events: before.events + 1 });
    return { value: undefined, told: describeRows(after) };
  });
  await step('The partner reads it, and gets exactly one webhook', () => expectHired(partner, receiver, id));
}

async function letIn({ partnerHiring, kysely }: Platform, endpointUrl: string) {
  const { operator } = partnerHiring;
  const value = await kysely.transaction().execute(async (trx): Promise<IssuedKey> => {
    await trx.insertInto('employer').values({ id: OPENING.employerId, name: 'Harbor Logistics' }).execute();
    await trx.insertInto('employer').values({ id: 'co_elsewhere', name: 'Elsewhere' }).execute();
    const { partners, keys, companies, access } = operator.within(trx);
    const partner = await partners.create({ name: 'Acme ATS' });
    const issued = await keys.issue({ partnerId: partner.id, environment: 'production', endpointUrl });
    const company = await companies.create({
      id: 'co_harbor',
      name: 'Harbor Logistics',
      environment: 'production',
    });
    await access.grant({ keyId: issued.key.id, companyId: company.id });
    return issued;
  });
  return { value, told: `${value.key.id} has access to Harbor Logistics, an employer on this platform` };
}

async function publish(recruiter: Recruiter, partner: PartnerClient, receiver: PartnerReceiver) {
  const reply = await recruiter.publish(OPENING);
  expectEqual(reply.status, 201, `The reply (${reply.text})`);
  const jobs = rowsOf(await partner.get('/jobs')).map((job) => job.id);
  expectEqual(jobs.join(), OPENING.id, "The partner's jobs");
  await receiver.waitForEvent(({ type }) => type === 'job.opened', 'Waiting for job.opened');
  return { value: undefined, told: `the partner lists ${OPENING.id} and has received job.opened` };
}

async function publishForNobody(recruiter: Recruiter, { pool }: Platform) {
  const reply = await recruiter.publish({ ...OPENING, id: 'job_nobody', employerId: 'co_elsewhere' });
  expectEqual(reply.status, 409, 'The reply');
  expectEqual(reply.json.error, 'COMPANY_NOT_FOUND', 'The code');
  const { rows } = await pool.query<{ id: string }>('select id from opening');
  expectEqual(rows.map(({ id }) => id).join(), OPENING.id, "The platform's openings");
  return { value: undefined, told: `409 COMPANY_NOT_FOUND; the platform still has only ${OPENING.id}` };
}

async function submit(partner: PartnerClient) {
  const body = JSON.stringify({
    jobId: OPENING.id,
    candidate: { firstName: 'Ada', lastName: 'Reyes', email: 'ada@example.com', phone: '+1 775 555 0123' },
    consentToContact: true,
  });
  const reply = await partner.submit({ idempotencyKey: randomUUID(), body });
  expectEqual(reply.status, 201, `POST /applications (${reply.text})`);
  return { value: reply.json.id as ApplicationId, told: `201: ${reply.text}` };
}

/** The worker hands the candidate over at once, in its own process. */
async function expectCandidate({ pool }: Platform, id: ApplicationId) {
  for (let tries = 0; tries < 100; tries += 1) {
    const { rows } = await pool.query<{ name: string; state: string }>(
      'select name, state from candidate where application_id = $1',
      [id],
    );
    const [candidate] = rows;
    if (candidate !== undefined) {
      expectEqual(candidate.state, 'new', 'The state of the candidate');
      return { value: undefined, told: `a row of the platform's own table: ${candidate.name}` };
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new DemoFailure('The platform did not hear of the candidate.');
}

async function screen(recruiter: Recruiter, partner: PartnerClient, id: ApplicationId) {
  expectThat((await recruiter.list(OPENING.id)).text.includes(id), 'The recruiter should see the candidate');
  const reply = await recruiter.screen(id);
  expectEqual(reply.status, 204, `The reply (${reply.text})`);
  const { json } = await partner.get(`/applications/${id}`);
  expectEqual(json.status, 'in_progress', 'The status');
  return { value: undefined, told: 'screening for the platform; in_progress for the partner' };
}

async function expectUndecided(partner: PartnerClient, id: ApplicationId) {
  const { json } = await partner.get(`/applications/${id}`);
  expectEqual(json.status, 'in_progress', 'The status');
  return { value: undefined, told: 'in_progress' };
}

/** Events arrive in commit order, so an event of a failed hire would have arrived first. */
async function expectHired(partner: PartnerClient, receiver: PartnerReceiver, id: ApplicationId) {
  const { json } = await partner.get(`/applications/${id}`);
  expectEqual(json.status, 'accepted', 'The status');
  const isNews = ({ type }: { readonly type: string }) => type === 'application.status_changed';
  const event = await receiver.waitForEvent(isNews, 'Waiting for application.status_changed');
  expectEqual(receiver.events().filter(isNews).length, 1, 'The webhooks about it');
  return { value: undefined, told: JSON.stringify(event) };
}
