/** Forms that do not come from the console change nothing. */
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { FORGED } from './forged.js';
import { ORIGIN, openPlatform, visit } from './platform.js';

const platform = perTest(openPlatform, ({ close }) => close());

it.each(FORGED)('refuses a form %s', async (_, headers) => {
  const { fixture, alan } = platform;
  const visitor = visit(fixture);
  const { status, text } = await visitor.post(
    `/console/applications/${alan}/erase`,
    { confirmed: 'yes' },
    headers,
  );
  expect(status).toBe(403);
  expect(text).toContain('This form did not come from the console');
  expect((await fixture.operator.applications.find({ id: alan }))?.erasedAt).toBeNull();
});

it.each([
  ['of a browser', { 'sec-fetch-site': 'same-origin' }],
  ['of an older browser', { origin: ORIGIN }],
])('takes a form of the console %s', async (_, headers) => {
  const { fixture, alan } = platform;
  const { status } = await visit(fixture).post(
    `/console/applications/${alan}/erase`,
    { confirmed: 'yes' },
    headers,
  );
  expect(status).toBe(303);
  expect((await fixture.operator.applications.find({ id: alan }))?.erasedAt).not.toBeNull();
});

it('compares with the origin that browsers see, behind a proxy', async () => {
  const { fixture, alan } = platform;
  const visitor = visit(fixture, { origin: 'https://console.example.net' });
  const path = `/console/applications/${alan}/move`;
  const fields = { stage: 'under_review' };
  expect((await visitor.post(path, fields, { origin: ORIGIN })).status).toBe(403);
  expect((await visitor.post(path, fields, { origin: 'https://console.example.net' })).status).toBe(303);
});

it('changes nothing by GET, and takes no other method', async () => {
  const { fixture, alan } = platform;
  const visitor = visit(fixture);
  expect((await visitor.get(`/console/applications/${alan}/erase?confirmed=yes`)).status).toBe(404);
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const headers = { 'sec-fetch-site': 'same-origin' };
    const response = await visitor.console.fetch(
      new Request(`${ORIGIN}/console/applications/${alan}/erase`, { method, headers }),
    );
    expect([response.status, response.headers.get('allow')], method).toEqual([405, 'GET, HEAD, POST']);
  }
  expect((await fixture.operator.applications.find({ id: alan }))?.erasedAt).toBeNull();
});

it('asks before it erases', async () => {
  const { fixture, alan } = platform;
  const visitor = visit(fixture);
  const asked = await visitor.post(`/console/applications/${alan}/erase`);
  expect(asked.status).toBe(200);
  expect(asked.text).toContain('This cannot be undone');
  expect(asked.text).toContain('name="confirmed" value="yes"');
  expect((await fixture.operator.applications.find({ id: alan }))?.erasedAt).toBeNull();
});
