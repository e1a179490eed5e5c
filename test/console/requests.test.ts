/** The request log in the console. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { WIRE_ERRORS } from '@partner-hiring/core/contract';
import { send, submission } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { LOGGED_STATUSES } from '../../packages/console/src/screens/parts/choices.js';
import { openPlatform, PERSONAL, visit } from './platform.js';

const platform = perTest(openPlatform, ({ close }) => close());

/** Submits to a closed job with a new secret of Acme. Returns the id of the refused request. */
async function refuse(): Promise<string> {
  const { fixture, acme } = platform;
  const { operator } = fixture;
  await operator.jobs.close({ id: acme.jobId as `job_${string}` });
  const { secret } = await operator.keys.rotate({ id: acme.keyId });
  const reply = await send(fixture, 'POST', '/applications', {
    headers: {
      authorization: `Bearer ${secret}`,
      'idempotency-key': crypto.randomUUID(),
      'content-type': 'application/json',
    },
    body: JSON.stringify(submission(acme.jobId, {})),
  });
  expect(reply.status).toBe(409);
  return String(reply.headers.get('x-request-id'));
}

it('finds out why the last request of a partner was refused, and how to fix it', async () => {
  const { fixture, acme } = platform;
  const requestId = await refuse();
  const visitor = visit(fixture);
  const list = await visitor.get(`/console/requests?key=${acme.partnerId}&errors=yes`);
  expect(list.text).toContain(`/console/requests/${requestId}"`);
  expect(list.text).toContain('409 <code>JOB_CLOSED</code>');
  expect((await visitor.get(`/console/requests?id=${requestId}`)).headers.get('location')).toBe(
    `/console/requests/${requestId}`,
  );
  const { text, status } = await visitor.get(`/console/requests/${requestId}`);
  expect(status).toBe(200);
  expect(text).toContain('JOB_CLOSED');
  expect(text).toContain('A job takes applications only while it is open');
  expect(text).toContain('To take applications again');
  for (const personal of PERSONAL) expect(text).not.toContain(personal);
});

it('filters by key, application, time and errors, and links to the application', async () => {
  const { fixture, acme, ada } = platform;
  const requestId = await refuse();
  const visitor = visit(fixture);
  const all = await visitor.get(`/console/requests?key=${acme.keyId}`);
  expect(all.text).toContain(`/console/applications/${ada}"`);
  expect(all.text).toContain(requestId);
  const ofAda = await visitor.get(`/console/requests?application=${ada}`);
  expect(ofAda.text).toContain(`/console/applications/${ada}"`);
  expect(ofAda.text).not.toContain(requestId);
  expect((await visitor.get('/console/requests?until=2001-01-01T00:00')).text).toContain(
    'No request matches',
  );
  const both = await visitor.get('/console/requests?key=key_1&application=ej_app_1');
  expect([both.status, both.text]).toEqual([
    400,
    expect.stringContaining('Choose only one of Partner and Application.'),
  ]);
});

it('answers which submissions a field of a job refused, and by which code', async () => {
  const { fixture, acme } = platform;
  const { operator } = fixture;
  const { secret } = await operator.keys.rotate({ id: acme.keyId });
  const post = (body: unknown) =>
    send(fixture, 'POST', '/applications', {
      headers: {
        authorization: `Bearer ${secret}`,
        'idempotency-key': crypto.randomUUID(),
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
  const reply = await post(submission(acme.jobId, { source: 7 }));
  const requestId = String(reply.headers.get('x-request-id'));
  const other = await post(submission(acme.jobId, { consentToContact: false }));
  const title = (await operator.jobs.find({ id: acme.jobId as `job_${string}` }))?.title ?? '';
  const visitor = visit(fixture);
  const list = await visitor.get(`/console/requests?job=${acme.jobId}&field=source&fieldCode=invalid_type`);
  expect(list.text).toContain(`/console/requests/${requestId}"`);
  expect(list.text).toContain('source: invalid_type');
  expect(list.text).toContain(`title="${acme.jobId}">${title}</a>`);
  expect(list.text).not.toContain(String(other.headers.get('x-request-id')));
  expect((await visitor.get(`/console/jobs/${acme.jobId}`)).text).toContain(
    `/console/requests?job=${acme.jobId}"`,
  );
  const page = await visitor.get(`/console/requests/${requestId}`);
  expect(page.text).toContain('The source has the wrong type.');
  expect(page.text).not.toContain('details.errors');
  expect(page.text).toContain('<dt>More of this job</dt>');
  const company = await operator.companies.find({ id: acme.companyId as `co_${string}` });
  expect(list.text).toContain(`data-label="Company"><span>${company?.name}<`);
  expect(page.text).toContain(`</a> at ${company?.name}<`);
  const ofPartner = await visitor.get(`/console/requests?key=${acme.partnerId}`);
  expect(ofPartner.text).toContain(`href="/console/partners/${acme.partnerId}">Health of this partner</a>`);
  expect(list.text).toContain('see “Health” on the page of a partner');
  expect(page.text).toContain(`title="${acme.jobId}">${title}</a>`);
  expect(page.text).toContain('source: invalid_type');
});

it('filters by status and code, and the overview leads to each status', async () => {
  const { fixture, acme, hooli } = platform;
  const requestId = await refuse();
  const visitor = visit(fixture);
  for (const [query, isFound] of [
    ['status=409', true],
    ['code=JOB_CLOSED', true],
    [`status=409&code=JOB_CLOSED&key=${acme.partnerId}`, true],
    [`status=409&key=${hooli.keyId}`, false],
    ['status=422', false],
    ['status=201', false],
    ['status=409&code=VALIDATION_ERROR', false],
  ] as const) {
    const { status, text } = await visitor.get(`/console/requests?${query}`);
    expect([query, status, text.includes(`/console/requests/${requestId}"`)]).toEqual([query, 200, isFound]);
  }
  expect((await visitor.get('/console/requests?status=299')).status).toBe(400);
  expect(LOGGED_STATUSES).toEqual(
    [...new Set([200, 201, ...Object.values(WIRE_ERRORS).map(({ status }) => status)])].sort().map(String),
  );
  const { text } = await visitor.get('/console');
  const [, href = ''] = /href="([^"]*)">409</.exec(text) ?? [];
  expect(href).toMatch(/^\/console\/requests\?status=409&amp;since=2026-01-0/);
  expect((await visitor.get(href.replace('&amp;', '&'))).text).toContain(requestId);
});

it('shows somebody for one partner no title of a job that the partner does not see', async () => {
  const { fixture, acme, globex } = platform;
  const { operator } = fixture;
  const { secret } = await operator.keys.rotate({ id: globex.keyId });
  const title = 'Keeper of the hidden gate';
  const company = 'The hidden company';
  const id = acme.jobId as `job_${string}`;
  await operator.jobs.update({ id, changes: { title } });
  const companyId = (await operator.jobs.find({ id }))?.companyId ?? 'co_none';
  await operator.companies.rename({ id: companyId, name: company });
  await operator.access.revoke({ keyId: globex.keyId, companyId });
  const reply = await send(fixture, 'POST', '/applications', {
    headers: {
      authorization: `Bearer ${secret}`,
      'idempotency-key': crypto.randomUUID(),
      'content-type': 'application/json',
    },
    body: JSON.stringify(submission(acme.jobId, { source: 7 })),
  });
  const requestId = String(reply.headers.get('x-request-id'));
  const paths = [`/console/requests?job=${acme.jobId}`, `/console/requests/${requestId}`];
  const visitor = visit(fixture);
  for (const path of paths) {
    const { text } = await visitor.get(path);
    expect(text).toContain(title);
    expect(text).toContain(company);
  }
  visitor.become({
    id: 'user_2',
    name: 'Kim',
    rights: CONSOLE_RIGHTS.viewer,
    partnerIds: [globex.partnerId],
  });
  for (const path of paths) {
    const { text } = await visitor.get(path);
    expect(text).toContain(requestId);
    expect(text).not.toContain(title);
    expect(text).not.toContain(company);
  }
});

it('says why a request may be missing', async () => {
  const { status, text } = await visit(platform.fixture).get('/console/requests/req_none');
  expect(status).toBe(404);
  expect(text).toContain('Successful reads are only counted');
});

it('shows somebody for one partner only its own requests', async () => {
  const { fixture, acme, globex, linus } = platform;
  const requestId = await refuse();
  const visitor = visit(fixture);
  visitor.become({
    id: 'user_2',
    name: 'Kim',
    rights: CONSOLE_RIGHTS.viewer,
    partnerIds: [globex.partnerId],
  });
  const { text } = await visitor.get('/console/requests');
  expect(text).toContain(linus);
  expect(text).not.toContain(requestId);
  expect((await visitor.get(`/console/requests/${requestId}`)).status).toBe(404);
  expect((await visitor.get(`/console/requests?key=${acme.keyId}`)).status).toBe(404);
});
