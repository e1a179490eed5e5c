/** Acts on many rows: ticked ones, or all that a filter finds. One question, progress, and what failed. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { openPlatform, PERSONAL, visit } from './platform.js';
import { noticeOf } from './seed.js';

const platform = perTest(openPlatform, ({ close }) => close());

const asOfIn = (text: string): string => /name="asOf" value="(\d+)"/.exec(text)?.[1] ?? '';

it('rejects all that a filter finds, after a question that counts them and names the first', async () => {
  const { fixture, acme, alan, linus } = platform;
  const visitor = visit(fixture);
  await fixture.operator.applications.move({ id: alan });
  await fixture.pass(1_000);
  const list = await visitor.get(`/console/applications?company=${acme.companyId}`);
  expect(list.text).toContain('formaction="/console/bulk/reject" name="all"');
  expect((await visitor.get('/console/applications')).text).not.toContain('name="all"');
  const path = '/console/bulk/reject';
  const fields = { filter: JSON.stringify({ companyId: acme.companyId }), all: 'yes' };
  const asked = (await visitor.post(path, fields)).text;
  expect(asked).toContain('Reject 2 applications?');
  expect(asked).toContain('Globex (production)');
  for (const personal of PERSONAL) expect(asked).not.toContain(personal);
  expect(asOfIn(asked)).not.toBe('');
  const confirmed = { ...fields, confirmed: 'yes', reason: 'ticket 7', asOf: asOfIn(asked) };
  const started = await visitor.post(path, confirmed);
  expect(noticeOf(started)).toContain('The worker changes 2 rows');
  const to = started.headers.get('location') ?? '';
  expect(to).toMatch(/^\/console\/operations\/op_/);
  await fixture.pass(60_000);
  const page = (await visitor.get(to)).text;
  for (const text of ['Decide on applications', '2 of 2 (100 %)', 'ticket 7', 'rejected'])
    expect(page).toContain(text);
  for (const id of [alan, linus])
    expect((await fixture.operator.applications.find({ id }))?.status).toBe('rejected');
  expect((await visitor.get(`/console/applications/${linus}`)).text).toContain('ticket 7');
  expect(noticeOf(await visitor.post(path, fields))).toContain('Nothing was changed');
  expect(noticeOf(await visitor.post(path))).toContain('Nothing was chosen');
});

it('leaves out the ticked rows of all that a filter finds, and says what was left out meanwhile', async () => {
  const { fixture, acme, alan, linus } = platform;
  const visitor = visit(fixture);
  await fixture.operator.applications.move({ id: alan });
  const path = '/console/bulk/reject';
  const fields = { filter: JSON.stringify({ companyId: acme.companyId }), all: 'yes' };
  const asked = (await visitor.post(path, fields)).text;
  expect(asked).toContain('name="counted" value="2"');
  const except = (await visitor.post(path, { ...fields, chosen: alan })).text;
  expect(except).toContain('Reject 1 application?');
  expect(except).toMatch(/Left out<[\s\S]{0,60}>1</);
  const confirmed = { ...fields, confirmed: 'yes', asOf: asOfIn(asked), counted: '2', chosen: alan };
  expect(noticeOf(await visitor.post(path, confirmed))).toContain('The others have changed since');
  await fixture.pass(60_000);
  const statuses = await Promise.all([alan, linus].map((id) => fixture.operator.applications.find({ id })));
  expect(statuses.map((each) => each?.status)).toEqual(['in_progress', 'rejected']);
});

it('says which of the chosen applications could not be changed, and why', async () => {
  const { fixture, alan, linus } = platform;
  const visitor = visit(fixture);
  const chosen: [string, string][] = [
    ['chosen', alan],
    ['chosen', linus],
  ];
  const path = '/console/bulk/reject';
  const asked = (await visitor.post(path, chosen)).text;
  expect(asked).toContain('Reject 2 applications?');
  const started = await visitor.post(path, [...chosen, ['confirmed', 'yes']]);
  await fixture.pass(60_000);
  const { text } = await visitor.get(started.headers.get('location') ?? '');
  expect(text).toContain('Rows that could not be changed: the first 1 of 1');
  expect(text).toContain(`/console/applications/${alan}"`);
  expect(text).toContain('is received and cannot become rejected');
});

it('pauses the chosen endpoints, and resumes all', async () => {
  const { fixture, acme, globex } = platform;
  const visitor = visit(fixture);
  expect((await visitor.get('/console/endpoints')).text).toContain(
    `name="chosen" value="${acme.keyId}" aria-label="Choose Acme ATS (production), ${acme.keyId}"`,
  );
  const act = async (path: string, fields: [string, string][]) => {
    await visitor.post(`/console/bulk/${path}`, [...fields, ['confirmed', 'yes']]);
    await fixture.pass(60_000);
    const { items } = await fixture.operator.endpoints.list({ onlyPaused: true });
    return items.map(({ keyId }) => keyId).filter((id) => id === acme.keyId || id === globex.keyId);
  };
  const chosen: [string, string][] = [acme.keyId, globex.keyId].map((id) => ['chosen', id]);
  expect((await act('pause', chosen)).length).toBe(2);
  expect(await act('resume', [['all', 'yes']])).toEqual([]);
});

it('revokes the access of all partners to a company, and grants it again', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const page = `/console/companies/${acme.companyId}`;
  expect((await visitor.get(page)).text).toContain(`formaction="/console/bulk/revoke"`);
  const act = async (name: string) => {
    const fields = { chosen: acme.companyId };
    const asked = (await visitor.post(`/console/bulk/${name}`, fields)).text;
    await visitor.post(`/console/bulk/${name}`, { ...fields, confirmed: 'yes' });
    await fixture.pass(60_000);
    return asked;
  };
  expect(await act('revoke')).toContain('Revoke 3 accesses of partner keys?');
  const keyId = acme.keyId;
  const active = () => fixture.operator.access.list({ keyId, onlyActive: true });
  expect((await active()).items).toEqual([]);
  expect(await act('grant')).toContain('Grant 3 accesses of partner keys?');
  expect((await active()).items).toHaveLength(1);
});

it('shows the new secrets of a partner once, on a sheet that no cache keeps', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const path = `/console/partners/${acme.partnerId}/rotate-secrets`;
  const asked = (await visitor.post(path)).text;
  const ifCurrent = /name="ifCurrent" value="([^"]*)"/.exec(asked)?.[1] ?? '';
  const fields = { confirmed: 'yes', ifCurrent, overlap: '1' };
  const sheet = await visitor.post(path, fields);
  expect(sheet.headers.get('cache-control')).toContain('no-store');
  expect(sheet.text).toMatch(/pek_live_[\w-]{20,}/);
  expect(sheet.text).toMatch(/whsec_[\w-]{20,}/);
  expect(sheet.text).toContain('Replace the old secrets with these.');
  const again = await visitor.post(path, fields);
  expect([again.status, again.text.includes('whsec_')]).toEqual([409, false]);
  const { items } = await fixture.operator.audit.list({ act: 'bulk.rotateSecrets' });
  expect(items).toHaveLength(1);
});

it('offers nothing that the actor may not do, and refuses rows of other partners', async () => {
  const { fixture, acme, globex, alan } = platform;
  const visitor = visit(fixture);
  visitor.become({ id: 'user_2', name: 'Kim', rights: CONSOLE_RIGHTS.viewer, partnerIds: 'all' });
  for (const page of [`applications?company=${acme.companyId}`, 'endpoints'])
    expect((await visitor.get(`/console/${page}`)).text).not.toContain('name="chosen"');
  const forbidden = await visitor.post('/console/bulk/reject', { chosen: alan });
  expect(forbidden.status).toBe(403);
  visitor.become({ id: 'user_3', name: 'Vi', rights: CONSOLE_RIGHTS.admin, partnerIds: [globex.partnerId] });
  expect((await visitor.post('/console/bulk/reject', { chosen: alan })).status).toBe(404);
  expect((await visitor.post('/console/bulk/pause', { all: 'yes', confirmed: 'yes' })).status).toBe(404);
  expect((await fixture.operator.applications.find({ id: alan }))?.status).toBe('received');
});
