/** Bringing a partner in, and disabling, enabling, renaming and removing one, in the console. */
import { CONSOLE_RIGHTS, createConsole } from '@partner-hiring/console';
import { send } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { ADMIN, ORIGIN, openPlatform, visit } from './platform.js';

const platform = perTest(openPlatform, ({ close }) => close());

const SECRET = /(?:pek_(?:live|test)|whsec)_[\w-]{20,}/g;
const FORM = { name: 'Umbrella ATS', production: 'yes', sandbox: 'yes' };
const PATH = '/console/partners/new';

/** The id that the form has. */
function idIn(page: string): string {
  return /name="id" value="(ptn_\w+)"/.exec(page)?.[1] ?? '';
}

async function partners() {
  return (await platform.fixture.operator.partners.list()).items;
}

it('one form makes a partner with keys, companies and endpoint, and shows a hand-over sheet once', async () => {
  const { fixture } = platform;
  const visitor = visit(fixture);
  const shown = await visitor.get(PATH);
  expect(shown.text).toContain('Initech');
  expect(shown.text).toContain('Companies whose jobs the production key sees');
  expect(shown.text).toContain('The sandbox key does not see them');
  const id = idIn(shown.text);
  const fields = { ...FORM, id, companies: ' initech \n', endpointUrl: 'https://umbrella.example/hooks' };
  const sheet = await visitor.post(PATH, fields);
  expect(sheet.status).toBe(200);
  expect(new Set(sheet.text.match(SECRET)).size).toBe(3);
  for (const text of ['For Umbrella ATS', 'What to do next', 'GET /jobs', 'data-copy', 'data-print']) {
    expect(sheet.text).toContain(text);
  }
  expect(sheet.text).toContain('<dt>Companies</dt><dd>Initech</dd>');
  expect(sheet.text).toContain('<dt>Companies</dt><dd>none yet, so this key sees no job</dd>');
  expect(sheet.text).toMatch(/href="\/console\/keys\/key_\w+">Grant the sandbox key access</);
  expect(sheet.text).not.toContain('Grant the production key access');
  expect(sheet.text).toContain('does not say the base URL of the API, the address of the documentation');
  expect((await partners()).filter(({ name }) => name === 'Umbrella ATS')).toMatchObject([{ id }]);
  const [secret = ''] = /pek_live_[\w-]{20,}/.exec(sheet.text) ?? [];
  const headers = { authorization: `Bearer ${secret}` };
  expect((await send(fixture, 'GET', '/jobs', { headers })).json.data).not.toEqual([]);

  const again = await visitor.post(PATH, fields);
  expect(again.status).toBe(409);
  expect(again.text).not.toMatch(SECRET);
  expect(again.text).toContain('was added already');
  expect((await partners()).filter(({ name }) => name === 'Umbrella ATS')).toHaveLength(1);
});

it('a refused form is shown again with what was entered, and nothing is made', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const before = (await partners()).length;
  const refused = [
    [{ name: ' ' }, 'Enter the name of the partner.'],
    [{ production: '', sandbox: '' }, 'Choose at least one key.'],
    [
      { companies: 'Initec' },
      'There is no production company &quot;Initec&quot;. Did you mean &quot;Initech&quot;?',
    ],
    [{ endpointUrl: 'ftp://umbrella.example/' }, 'Webhook URL of production must be https'],
  ] as const;
  for (const [part, problem] of refused) {
    const page = await visitor.post(PATH, { ...FORM, id: 'ptn_umbrella', company: acme.companyId, ...part });
    expect(page.status).toBe(400);
    expect(page.text).toContain(problem);
    expect(page.text).toContain(`value="${acme.companyId}" checked`);
    expect(idIn(page.text)).toBe('ptn_umbrella');
  }
  expect(await partners()).toHaveLength(before);
});

it('a partner is renamed, disabled, enabled and removed, with what that means', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const at = `/console/partners/${acme.partnerId}`;
  const renamed = { name: 'Acme Talent' };
  expect((await visitor.post(`${at}/rename`, renamed)).text).toContain('Rename this partner?');
  expect((await visitor.get(at)).text).not.toContain('Acme Talent');
  expect((await visitor.post(`${at}/rename`, { ...renamed, confirmed: 'yes' })).status).toBe(303);
  expect((await visitor.get(at)).text).toContain('Acme Talent');
  for (const [act, word, state] of [
    ['disable', 'its keys get 401', 'disabled'],
    ['enable', 'the events that waited are sent', 'active'],
    ['remove', 'This cannot be undone', 'removed'],
  ] as const) {
    expect((await visitor.post(`${at}/${act}`)).text).toContain(word);
    expect((await visitor.post(`${at}/${act}`, { confirmed: 'yes' })).status).toBe(303);
    expect((await visitor.get(at)).text).toMatch(new RegExp(`<dd[^>]*>.*${state}`, 's'));
  }
  expect((await visitor.get('/console/partners')).text).not.toContain('Acme Talent');
});

it('the contact of a partner is set and cleared, and hidden from a viewer', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const at = `/console/partners/${acme.partnerId}`;
  const fields = { contactName: 'Robin Field', contactEmail: 'robin@ats.example' };
  expect((await visitor.post(`${at}/contact`, { ...fields, contactEmail: 'robin' })).text).toContain(
    'must be an e-mail address',
  );
  expect((await visitor.get(at)).text).toContain('none: nobody gets messages');
  expect((await visitor.post(`${at}/contact`, fields)).status).toBe(303);
  expect((await visitor.get(at)).text).toContain('Robin Field, robin@ats.example');
  visitor.become({ id: 'user_3', name: 'Vi', rights: CONSOLE_RIGHTS.viewer, partnerIds: 'all' });
  expect((await visitor.get(at)).text).not.toMatch(/Robin Field|Contact/);
  expect((await visitor.post(`${at}/contact`, fields)).status).toBe(403);
  visitor.become(ADMIN);
  expect((await visitor.post(`${at}/clear-contact`)).text).toContain('Clear the contact of this partner?');
  expect((await visitor.post(`${at}/clear-contact`, { confirmed: 'yes' })).status).toBe(303);
  expect((await visitor.get(at)).text).not.toContain('Robin Field');
  expect((await fixture.operator.partners.find({ id: acme.partnerId }))?.contact).toBeNull();
});

it('an actor for some partners, or without the right, can do none of it', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const own = { id: 'user_2', name: 'Kim', partnerIds: [acme.partnerId] } as const;
  visitor.become({ ...own, rights: CONSOLE_RIGHTS.admin });
  const at = `/console/partners/${acme.partnerId}`;
  const fields = { contactName: 'Robin Field', contactEmail: 'robin@ats.example' };
  expect((await visitor.get(at)).text).not.toContain('Rename, disable or remove');
  for (const act of ['disable', 'enable', 'remove', 'rename', 'contact', 'clear-contact']) {
    const { status } = await visitor.post(`${at}/${act}`, { ...fields, confirmed: 'yes', name: 'Mine' });
    expect(status).toBe(404);
  }
  expect((await visitor.post(PATH, FORM)).status).toBe(404);
  expect((await visitor.get(PATH)).status).toBe(404);
  visitor.become({ id: 'user_3', name: 'Vi', rights: CONSOLE_RIGHTS.viewer, partnerIds: 'all' });
  expect((await visitor.get(PATH)).status).toBe(403);
  expect((await visitor.post(PATH, FORM)).status).toBe(403);
  expect((await visitor.post(`${at}/remove`, { confirmed: 'yes' })).status).toBe(403);
});

it('the sheet names the host’s base URL, documentation and support', async () => {
  const { operator } = platform.fixture;
  const handOver = {
    api: 'https://api.platform.example/v1',
    docs: 'https://platform.example/partners',
    support: 'api@platform.example',
  };
  const { fetch } = createConsole({ operator, actor: () => ADMIN, handOver });
  const reply = await fetch(
    new Request(`${ORIGIN}${PATH}`, {
      method: 'POST',
      headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(FORM).toString(),
    }),
  );
  const text = await reply.text();
  for (const value of Object.values(handOver)) expect(text).toContain(value);
  expect(text).not.toContain('This sheet does not say');
  expect(() => createConsole({ operator, actor: () => ADMIN, handOver: { docs: 'docs' } })).toThrow(
    'handOver.docs',
  );
});

it('a key gets access to many companies by their names, with a count first and one entry in the audit', async () => {
  const { fixture, acme } = platform;
  const { operator } = fixture;
  const visitor = visit(fixture);
  for (const name of ['Bistro Nord', 'Depot'])
    await operator.companies.create({ name, environment: 'production' });
  const path = `/console/keys/${acme.keyId}/grant-many`;
  const companies = 'bistro nord\nDepot';
  expect((await visitor.get(`/console/keys/${acme.keyId}`)).text).toContain('Bistro Nord');
  const mistyped = (await visitor.post(path, { companies: 'Depott' })).text;
  expect(mistyped).toContain('Did you mean');
  expect(mistyped).toContain('>Depott</textarea>');
  expect(mistyped).toMatch(/aria-current="page">Partners and keys</);
  expect((await visitor.post(path, { companies })).text).toContain('Grant access to 2 companies?');
  expect((await visitor.post(path, { companies, confirmed: 'yes' })).status).toBe(303);
  const { items: acts } = await operator.audit.list({ act: 'access.grant', limit: 1 });
  expect(acts).toMatchObject([{ count: 2, keyId: acme.keyId }]);
});
