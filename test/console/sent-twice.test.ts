/** A page that shows a secret answers a form. A reload submits the form again, and must not act again. */
import { createConsole } from '@partner-hiring/console';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { ADMIN, ORIGIN, openPlatform, visit } from './platform.js';

const platform = perTest(openPlatform, ({ close }) => close());

const SECRET = /(?:pek_(?:live|test)|whsec)_[\w-]{20,}/;

/** Reads the hidden and chosen fields of the form that a page asks to confirm. */
function fieldsOf(page: string): Record<string, string> {
  const [, form = ''] = /<form method="post"[^>]*>(.*?)<\/form>/s.exec(page.slice(page.indexOf('<dl'))) ?? [];
  const inputs = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name, value]) => [name, value]));
}

it.each([
  ['a key', 'keys', 'rotate', 'keys.rotate'],
  ['a signing secret', 'endpoints', 'rotate-secret', 'endpoints.rotateSecret'],
] as const)('reloading the page after rotating %s does not act again', async (_, screen, act, command) => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const path = `/console/${screen}/${acme.keyId}/${act}`;
  const acts = async () => (await fixture.operator.audit.list({ act: command })).items.length;
  const fields = fieldsOf((await visitor.post(path)).text);
  const [first, reloaded] = [await visitor.post(path, fields), await visitor.post(path, fields)];
  expect([first.status, reloaded.status, await acts()]).toEqual([200, 409, 1]);
  expect(first.text).toMatch(SECRET);
  expect(reloaded.text).not.toMatch(SECRET);
  expect(reloaded.text).toContain('was rotated already');
  const made = await visitor.post(path, { confirmed: 'yes' });
  expect([made.status, await acts()]).toEqual([409, 1]);
  const again = await visitor.post(path, fieldsOf((await visitor.post(path)).text));
  expect([again.status, await acts()]).toEqual([200, 2]);
});

it('a form that reaches two replicas at the same time acts once', async () => {
  const { fixture, acme } = platform;
  const path = `/console/keys/${acme.keyId}/rotate`;
  const fields = fieldsOf((await visit(fixture).post(path)).text);
  const replicas = [1, 2, 3, 4].map(() =>
    createConsole({ operator: fixture.operator, actor: () => ADMIN, logger: { error: () => {} } }),
  );
  const statuses = await Promise.all(
    replicas.map(async ({ fetch }) => {
      const headers = { 'sec-fetch-site': 'same-origin' };
      const body = new URLSearchParams(fields);
      return (await fetch(new Request(`${ORIGIN}${path}`, { method: 'POST', headers, body }))).status;
    }),
  );
  expect(statuses.sort()).toEqual([200, 409, 409, 409]);
});

it('reloading the page after issuing a key does not act again', async () => {
  const { fixture } = platform;
  const { id: partnerId } = await fixture.operator.partners.create({ name: 'Initrode' });
  const visitor = visit(fixture);
  const issue = () => visitor.post(`/console/partners/${partnerId}/issue`, { environment: 'production' });
  const [first, reloaded] = [await issue(), await issue()];
  expect([first.status, reloaded.status]).toEqual([200, 409]);
  expect(first.text).toMatch(SECRET);
  expect(reloaded.text).not.toMatch(SECRET);
  expect(reloaded.text).toContain('The key was issued already');
  const [view] = (await fixture.operator.keys.list({ partnerId })).items;
  expect(view?.secrets).toHaveLength(1);
});

it('reloading the page after adding an endpoint does not set its URL again', async () => {
  const { fixture } = platform;
  const { operator } = fixture;
  const { id: partnerId } = await operator.partners.create({ name: 'Initrode' });
  const { keyId } = await operator.keys
    .issue({ partnerId, environment: 'production' })
    .then(({ key }) => ({ keyId: key.id }));
  const visitor = visit(fixture);
  const path = `/console/endpoints/${keyId}/set-url`;
  const fields = fieldsOf((await visitor.post(path, { url: 'https://old.example/' })).text);
  expect((await visitor.post(path, fields)).text).toMatch(SECRET);
  await operator.endpoints.setUrl({ keyId, url: 'https://new.example/' });
  const reloaded = await visitor.post(path, fields);
  expect([reloaded.status, reloaded.text]).toEqual([
    409,
    expect.stringContaining('The endpoint was added already'),
  ]);
  expect((await operator.endpoints.find({ keyId }))?.url).toBe('https://new.example/');
});
