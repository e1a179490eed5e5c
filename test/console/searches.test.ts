/** What somebody searches for stays in the bodies of requests. */
import { StorageUnavailable } from '@partner-hiring/core';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { examplePages } from './browser/example-pages.js';
import { ADMIN, openPlatform, type Visit, visit } from './platform.js';

const platform = perTest(openPlatform, ({ close }) => close());

/** Returns every address of an answer: of its headers, links and forms. */
function addressesOf({ headers, text }: Visit): string {
  const inPage = [...text.matchAll(/\s(?:href|action|src|content)="([^"]*)"/g)].map(([, address]) => address);
  return decodeURIComponent(
    [headers.get('location'), headers.get('refresh'), headers.get('set-cookie'), ...inPage]
      .join('\n')
      .replaceAll('+', ' '),
  ).toLowerCase();
}

describe.each([
  ['turing', 'turing'],
  ['Turing, Alan', 'turing'],
  ['ALAN@example.org', 'alan@'],
  ['+1 415 555 0125', '555 0125'],
  ['001 (415) 555-0125', '555-0125'],
  ['ats-4712', 'ats-4712'],
])('a search for %s', (q, part) => {
  it('finds the application without that in an address', async () => {
    const { fixture, alan, ada } = platform;
    const found = await visit(fixture).post('/console/applications', { q });
    expect(found.status).toBe(200);
    expect(found.text).toContain(`/console/applications/${alan}`);
    expect(found.text).not.toContain(`/console/applications/${ada}`);
    expect(addressesOf(found)).not.toContain(part);
  });
});

it.each([
  'Lovelace, Ada',
  '415 555 0123',
  'Ada 1815',
  'ada.lovelace',
  'ada@',
  'job_Ada Lovelace',
  'ej_app_ada@x',
  'key_1?q=Ada',
  'evt_1/Ada',
])('answers %j in place, whoever asks', async (q) => {
  const visitor = visit(platform.fixture);
  const actors = [
    ADMIN,
    { ...ADMIN, rights: ['applications:read'] as const },
    { ...ADMIN, partnerIds: [platform.acme.partnerId] },
  ];
  for (const actor of actors) {
    visitor.become(actor);
    for (const by of ['', 'name', 'email', 'phone', 'source']) {
      const answer = await visitor.post('/console/applications', { q, by });
      expect([200, 400, 403], `${actor.rights.length} ${by}`).toContain(answer.status);
      expect(addressesOf(answer)).not.toMatch(/(?<![a-z0-9])ada(?![a-z0-9])|lovelace|555 0123/);
    }
  }
});

it('a search by name needs the right to see candidates, and says so', async () => {
  const { fixture, alan } = platform;
  const visitor = visit(fixture);
  visitor.become({ ...ADMIN, rights: ['applications:read', 'candidates:search'] });
  for (const q of ['t', 'tu', 'tur', 'x']) {
    const { status, text } = await visitor.post('/console/applications', { q });
    expect(status).toBe(403);
    expect(text).toContain('Your rights do not include candidates:read.');
    expect(text).not.toContain(alan);
  }
  const byEmail = await visitor.post('/console/applications', { q: 'alan@example.org' });
  expect(byEmail.text).toContain(alan);
});

it.each([
  ['/console/applications', { q: 'Lovelace, Ada', by: 'name' }],
  ['/console/applications', { q: 'ada-4711', by: 'source' }],
  ['/console/audit', { actor: 'ada@example.com', since: '2026-01-01T00:00' }],
])('the next page of a search at %s is asked for by a form: %j', async (path, fields) => {
  const { operator } = platform.fixture;
  const asked: unknown[] = [];
  const list = () => async (filter: unknown) => {
    asked.push(filter);
    return { items: [], nextCursor: 'cursor_2' };
  };
  const paged: object = {
    ...operator,
    applications: { ...operator.applications, list: list() },
    audit: { list: list() },
    as: () => paged,
    limitedTo: () => paged,
    through: () => paged,
  };
  const visitor = visit({ operator: paged as typeof operator });
  const first = await visitor.post(path, fields);
  expect(addressesOf(first)).not.toMatch(/ada|cursor_2/);
  const [, form = ''] = /<form class="pager" method="post"[^>]*>(.*?)<\/form>/s.exec(first.text) ?? [];
  const hidden = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  expect(Object.fromEntries(hidden)).toEqual({ ...fields, cursor: 'cursor_2' });
  await visitor.post(path, Object.fromEntries(hidden));
  // The filter also reads the names of those who acted last.
  const [one, two] = asked.filter((filter) => !Object.hasOwn(filter as object, 'limit'));
  expect(two).toEqual({ ...(one as object), cursor: 'cursor_2' });
});

it('a search that fails is not in the log or in an address', async () => {
  const { operator } = platform.fixture;
  const fail = async () => {
    throw new StorageUnavailable('The database is gone.', { cause: new Error('socket closed') });
  };
  const failing: object = {
    ...operator,
    applications: { list: fail },
    candidates: { list: fail },
    as: () => failing,
    limitedTo: () => failing,
    through: () => failing,
  };
  const visitor = visit({ operator: failing as typeof operator });
  for (const q of ['Lovelace, Ada', 'ada@example.org', '+1 415 555 0123', 'ada-4711']) {
    const answer = await visitor.post('/console/applications', { q });
    expect(answer.status).toBe(503);
    expect(addressesOf(answer)).not.toMatch(/(?<![a-z0-9])ada(?![a-z0-9])|lovelace|555 0123/);
  }
  const logged = visitor.logged.map(({ fields, message }) => [message, fields.route, String(fields.err)]);
  expect(logged).toHaveLength(4);
  expect(JSON.stringify(logged)).not.toMatch(/ada|555/i);
});

it('forms that write an address only take ids, choices and instants', async () => {
  const visitor = visit(platform.fixture);
  const fields = new Set<string>();
  for (const path of await examplePages(platform)) {
    const { text } = await visitor.get(`/console${path}`);
    for (const [, form = ''] of text.matchAll(/<form[^>]* method="get"[^>]*>(.*?)<\/form>/gs)) {
      for (const [input, name = ''] of form.matchAll(/<input [^>]*name="([^"]+)"[^>]*>/g)) {
        fields.add(name);
        if (input.includes('type="datetime-local"')) continue;
        const [, pattern = '.*'] = /pattern="([^"]+)"/.exec(input) ?? [];
        const allowed = new RegExp(`^(?:${pattern})$`, 'v');
        for (const typed of [
          'Lovelace, Ada',
          'Lovelace',
          'ada.lovelace',
          'ada@example.org',
          '415 555 0123',
          'ats-4711',
        ])
          expect(allowed.test(typed), `${path}: ${name} takes ${typed}`).toBe(false);
      }
    }
  }
  expect([...fields].sort()).toEqual(['company', 'event', 'id', 'job', 'key', 'since', 'until']);
});
