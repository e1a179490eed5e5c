/** Nobody gets in unless the host says who they are. A broken hook lets nobody in, and harms nobody. */
import { CONSOLE_RIGHTS, type ConsoleActor } from '@partner-hiring/console';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { SCREENS } from '../../packages/console/src/screens/screens.js';
import { ADMIN, openPlatform, visit } from './platform.js';

const platform = perTest(openPlatform, ({ close }) => close());

const PATHS = [
  '/console',
  '/console/live',
  '/console/applications',
  '/console/audit',
  '/console/nothing',
  '/console/assets/x.css',
];

it.each(PATHS)('a stranger gets 404 at %s, as if there were no console', async (path) => {
  const visitor = visit(platform.fixture);
  visitor.become(null);
  for (const answer of [await visitor.get(path), await visitor.post(path)]) {
    expect([answer.status, answer.text]).toEqual([404, 'Not found']);
  }
});

const { partnerIds: _, ...WITHOUT_PARTNERS } = ADMIN;

function refuse(): never {
  throw new Error('no session store');
}

const BROKEN: readonly (readonly [string, () => unknown, RegExp])[] = [
  [
    'throws',
    () => {
      throw new Error('no session store');
    },
    /hook failed/,
  ],
  ['rejects', () => Promise.reject(new Error('no session store')), /hook failed/],
  [
    'throws what is no error',
    () => {
      throw 'nothing';
    },
    /hook failed/,
  ],
  ['never answers', () => new Promise(() => {}), /did not answer within 50 ms/],
  ['returns nothing', () => undefined, /neither an object nor null/],
  ['returns true', () => true, /neither an object nor null/],
  ['returns no id', () => ({ ...ADMIN, id: '' }), /without an `id`/],
  ['returns no name', () => ({ id: 'user_1', rights: [] }), /without a `name`/],
  ['returns rights as text', () => ({ ...ADMIN, rights: 'admin' }), /without a list `rights`/],
  [
    'returns an unknown right',
    () => ({ ...ADMIN, rights: ['applications:read', '*'] }),
    /unknown right "\*"/,
  ],
  ['returns a sparse list of rights', () => ({ ...ADMIN, rights: new Array(3) }), /unknown right/],
  ['misspells a field', () => ({ ...WITHOUT_PARTNERS, partnerids: ['ptn_1'] }), /unknown field "partnerids"/],
  [
    'adds a field',
    () => ({ ...ADMIN, team: undefined }),
    /unknown field "team".* id, name, rights, partnerIds\./,
  ],
  ['returns no partners', () => WITHOUT_PARTNERS, /without `partnerIds`.*Set `partnerIds: 'all'`/],
  ['returns a Proxy that throws', () => new Proxy({}, { ownKeys: refuse }), /could not be read/],
  ['returns an id of automatic acts', () => ({ ...ADMIN, id: 'system:sandbox' }), /operator refuses/],
];

describe.each(BROKEN)('a hook that %s', (_, hook, message) => {
  it('gets 503 on every path, the log says why, and the process goes on', async () => {
    const actor = hook as () => ConsoleActor;
    const visitor = visit(platform.fixture, { actor, timeoutMs: 50 });
    for (const answer of [
      await visitor.get('/console'),
      await visitor.post('/console/applications', { q: 'x' }),
    ]) {
      expect(answer.status).toBe(503);
      expect(answer.text).toContain('could not find out who you are');
      expect(answer.text).not.toContain('no session store');
    }
    expect(visitor.logged).toHaveLength(2);
    expect(String(visitor.logged[0]?.fields.err)).toMatch(message);
    expect(await platform.fixture.operator.partners.list()).toBeDefined();
  });
});

it('reads the actor once, so a getter that changes its answer gives no more rights', async () => {
  const { acme, hooli, ada, grace } = platform;
  const answersOf = () => ({
    rights: [['applications:read'], CONSOLE_RIGHTS.admin],
    partnerIds: [[acme.partnerId], 'all', [hooli.partnerId]],
  });
  const actor = () => {
    const { rights, partnerIds } = answersOf();
    return {
      ...WITHOUT_PARTNERS,
      get rights() {
        return rights.shift() ?? [];
      },
      get partnerIds() {
        return partnerIds.shift() ?? 'all';
      },
    } as ConsoleActor;
  };
  const visitor = visit(platform.fixture, { actor });
  const page = await visitor.get('/console');
  expect(page.text).toContain('for 1 partner');
  expect(page.text).not.toContain('href="/console/audit"');
  expect((await visitor.get(`/console/applications/${grace}`)).status).toBe(404);
  expect((await visitor.get(`/console/applications/${ada}`)).status).toBe(200);
});

it('keeps the partners of a request when the host changes its list meanwhile', async () => {
  const { fixture, acme, hooli, ada, grace } = platform;
  const partnerIds = [acme.partnerId];
  const limitedTo: typeof fixture.operator.limitedTo = (limits) => {
    partnerIds.push(hooli.partnerId);
    return fixture.operator.limitedTo(limits);
  };
  const operator = { ...fixture.operator, through: () => ({ ...fixture.operator, limitedTo }) };
  const visitor = visit({ operator }, { actor: () => ({ ...ADMIN, partnerIds }) });
  expect((await visitor.get(`/console/applications/${grace}`)).status).toBe(404);
  expect(partnerIds).toContain(hooli.partnerId);
  expect((await visitor.get(`/console/applications/${ada}`)).status).toBe(200);
});

it('an empty list of partners means no partner', async () => {
  const { fixture, acme, ada } = platform;
  const visitor = visit(fixture);
  visitor.become({ ...ADMIN, partnerIds: [] });
  expect((await visitor.get('/console')).text).toContain('for 0 partners');
  for (const path of [`applications/${ada}`, `partners/${acme.partnerId}`, `keys/${acme.keyId}`]) {
    expect([path, (await visitor.get(`/console/${path}`)).status]).toEqual([path, 404]);
  }
  const { text } = await visitor.get('/console/partners');
  expect(text).not.toContain('Acme ATS');
});

it('shows a partner once that is listed twice', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  visitor.become({ ...ADMIN, partnerIds: [acme.partnerId] });
  const once = await visitor.get('/console/partners');
  visitor.become({ ...ADMIN, partnerIds: [acme.partnerId, acme.partnerId] });
  expect((await visitor.get('/console/partners')).text).toBe(once.text);
});

it('shows only the screens that the rights allow, and hides the others', async () => {
  const visitor = visit(platform.fixture);
  visitor.become({ ...ADMIN, rights: ['applications:read'] });
  const { text } = await visitor.get('/console');
  expect(text).toContain('href="/console/applications"');
  expect(text).not.toContain('href="/console/audit"');
  expect((await visitor.get('/console/audit')).status).toBe(404);
});

it('every screen needs a right, except the overview, acts on many and the search, whose parts need their own', () => {
  expect(SCREENS.filter(({ rights }) => rights.length === 0).map(({ name }) => name)).toEqual([
    'overview',
    'bulk',
    'search',
  ]);
});

it('an actor for one partner cannot tell objects of other partners from unknown ones', async () => {
  const { fixture, acme, ada, grace } = platform;
  const visitor = visit(fixture);
  visitor.become({ ...ADMIN, partnerIds: [acme.partnerId] });
  expect((await visitor.get(`/console/applications/${ada}`)).status).toBe(200);
  const [foreign, unknown] = await Promise.all([
    visitor.get(`/console/applications/${grace}`),
    visitor.get('/console/applications/ej_app_unknown'),
  ]);
  expect(foreign.status).toBe(404);
  expect(foreign.text).toBe(unknown.text);
  const resumes = ['fetch-resume', 'stop-resume'];
  for (const act of ['move', 'decide', 'erase', 'reveal', 'resend', 'resume-endpoint', ...resumes]) {
    const fields = { confirmed: 'yes', stage: 'final_review', decision: 'accepted' };
    const [of, at] = await Promise.all([
      visitor.post(`/console/applications/${grace}/${act}`, fields),
      visitor.post(`/console/applications/ej_app_unknown/${act}`, fields),
    ]);
    expect([of.status, of.text], act).toEqual([404, at.text]);
  }
  expect((await fixture.operator.applications.find({ id: grace }))?.erasedAt).toBeNull();
});

it('an actor for one partner sees only its applications, in lists and figures', async () => {
  const { fixture, acme, hooli, ada, grace } = platform;
  const visitor = visit(fixture);
  visitor.become({ ...ADMIN, partnerIds: [acme.partnerId] });
  const list = await visitor.get(`/console/applications?key=${acme.keyId}`);
  expect(list.text).toContain(ada);
  expect(list.text).not.toContain(grace);
  expect((await visitor.get(`/console/applications?key=${hooli.keyId}`)).status).toBe(404);
  expect((await visitor.get('/console/applications')).text).toContain('Your rights cover some partners');
  const overview = await visitor.get('/console');
  expect(overview.text).not.toContain('Hooli');
  visitor.become({ ...ADMIN, partnerIds: [hooli.partnerId] });
  expect((await visitor.get('/console')).text).toContain('Hooli');
});

it('a viewer sees no personal data and can change nothing', async () => {
  const { fixture, alan } = platform;
  const visitor = visit(fixture);
  visitor.become({ ...ADMIN, rights: CONSOLE_RIGHTS.viewer });
  const page = await visitor.get(`/console/applications/${alan}`);
  expect(page.text).not.toContain('<form class="action"');
  expect(page.text).toContain('Masked: your rights do not include candidates:read.');
  const resumes = ['fetch-resume', 'stop-resume'];
  for (const act of ['reveal', 'erase', 'move', ...resumes, 'resend', 'resume-endpoint']) {
    const { status } = await visitor.post(`/console/applications/${alan}/${act}`, {
      confirmed: 'yes',
      stage: 'under_review',
    });
    expect([act, status]).toEqual([act, 403]);
  }
  expect((await visitor.post('/console/applications', { q: 'Turing' })).status).toBe(403);
});

it('offers the host’s way to sign out, and calls it only for a form of the console', async () => {
  const left: unknown[] = [];
  const visitor = visit(platform.fixture, {
    signOut: (request) => {
      left.push(request.method);
      return new Response(null, {
        status: 303,
        headers: { location: '/', 'set-cookie': 'session=; Max-Age=0' },
      });
    },
  });
  const path = '/console/sign-out';
  expect((await visitor.get('/console')).text).toContain(
    `<form class="action" method="post" action="${path}">`,
  );
  expect((await visitor.post(path, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await visitor.get(path)).status).toBe(404);
  expect(left).toEqual([]);
  const answer = await visitor.post(path);
  expect([answer.status, answer.headers.get('location'), left]).toEqual([303, '/', ['POST']]);

  const linked = visit(platform.fixture, { signOutUrl: '/logout' });
  expect((await linked.get('/console')).text).toContain('<a href="/logout">Sign out</a>');
  expect((await linked.post(path)).status).toBe(404);
  expect((await visit(platform.fixture).get('/console')).text).not.toContain('Sign out');
});
