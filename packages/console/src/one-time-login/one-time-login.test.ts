import type { PartnerId } from '@partner-hiring/core';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ConsoleActor } from '../actor.js';
import { CONSOLE_RIGHTS } from '../rights.js';
import { createOneTimeLogin, type OneTimeLogin } from './one-time-login.js';

const ACTOR = {
  id: 'local',
  name: 'Local <operator>',
  rights: CONSOLE_RIGHTS.admin,
  partnerIds: 'all',
} as const;
const ORIGIN = 'http://127.0.0.1:3000';

const look = (login: OneTimeLogin, link: string) => login.signIn(new Request(link));

/** Presses the button of a link's page. */
function press(login: OneTimeLogin, link: string, headers: Readonly<Record<string, string>> = {}) {
  const { origin } = new URL(link);
  return login.signIn(new Request(link, { method: 'POST', headers: { origin, ...headers } }));
}

async function cookieOf(pressed: Promise<Response | null>): Promise<string> {
  return (await pressed)?.headers.get('set-cookie')?.split(';')[0] ?? '';
}

function ask({ actor, path }: OneTimeLogin, cookie: string, origin = ORIGIN) {
  return actor(new Request(`${origin}${path}/applications`, { headers: { cookie } }), null);
}

it('a link shows a button, whose POST works once and gives a session', async () => {
  const login = createOneTimeLogin({ actor: ACTOR });
  expect(login.path).toMatch(/^\/console\/[\w-]{22}$/);
  const link = login.createLink(ORIGIN);
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:3000\/console\/[\w-]{22}\/sign-in\?token=[\w-]{43}$/);
  const page = await look(login, link);
  expect([page?.status, page?.headers.get('set-cookie')]).toEqual([200, null]);
  const text = await page?.text();
  expect(text).toContain('<form method="post">');
  expect(text).toContain('Local &lt;operator&gt;');
  const pressed = await press(login, link);
  expect([pressed?.status, pressed?.headers.get('location')]).toEqual([303, login.path]);
  expect(pressed?.headers.get('set-cookie')).toMatch(
    new RegExp(
      `^partner_hiring_console_session=[\\w-]{43}; Path=${login.path}; Max-Age=43200; HttpOnly; SameSite=Strict$`,
    ),
  );
  const cookie = pressed?.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect(ask(login, cookie)).toEqual(ACTOR);
  for (const used of [await press(login, link), await look(login, link)]) {
    expect([used?.status, used?.headers.get('set-cookie')]).toEqual([410, null]);
    expect(await used?.text()).toContain('restart the program');
  }
});

it('each login has its own path and its own sessions', async () => {
  const [one, other] = [createOneTimeLogin({ actor: ACTOR }), createOneTimeLogin({ actor: ACTOR })];
  expect(one.path).not.toBe(other.path);
  other.createLink(ORIGIN);
  expect(ask(other, await cookieOf(press(one, one.createLink(ORIGIN))))).toBeNull();
});

it('refuses a wrong actor at once, and keeps its own copy of a right one', async () => {
  const { partnerIds: _, ...misspelt } = { ...ACTOR, partnerids: [] };
  for (const [actor, message] of [
    [misspelt, /createOneTimeLogin got an actor with the unknown field "partnerids"/],
    [{ ...ACTOR, partnerIds: undefined }, /without `partnerIds`.*Set `partnerIds: 'all'`/],
  ] as const) {
    expect(() => createOneTimeLogin({ actor: actor as unknown as ConsoleActor })).toThrow(message);
  }
  const partnerIds: PartnerId[] = ['ptn_1'];
  const login = createOneTimeLogin({ actor: { ...ACTOR, partnerIds } });
  partnerIds.push('ptn_2');
  const cookie = await cookieOf(press(login, login.createLink(ORIGIN)));
  expect(ask(login, cookie)).toEqual({ ...ACTOR, partnerIds: ['ptn_1'] });
});

it('lets nobody in without a valid session or link', async () => {
  const login = createOneTimeLogin({ actor: ACTOR });
  const link = login.createLink(ORIGIN);
  const token = new URL(link).searchParams.get('token') ?? '';
  for (const cookie of ['', 'partner_hiring_console_session=', `partner_hiring_console_session=${token}`]) {
    expect(ask(login, cookie)).toBeNull();
  }
  for (const query of ['', '?token=', '?token=x']) {
    expect((await press(login, link.replace(/\?.*/, query)))?.status).toBe(410);
  }
});

it.each([
  'http://localhost:3000',
  'http://127.0.0.1:3001',
  'http://127.0.0.1',
  'http://[::1]:3000',
  'http://evil.example:3000',
  'http://127.0.0.1.evil.example:3000',
])('a link and its session do not work at %s, and a used link says nothing there', async (origin) => {
  const login = createOneTimeLogin({ actor: ACTOR });
  const link = login.createLink(ORIGIN);
  const moved = link.replace(ORIGIN, origin);
  expect([await look(login, moved), await press(login, moved)]).toEqual([null, null]);
  const host = new URL(origin).host;
  expect(await press(login, link, { host })).toBeNull();
  const cookie = await cookieOf(press(login, link));
  expect(ask(login, cookie)).toEqual(ACTOR);
  expect(ask(login, cookie, origin)).toBeNull();
  expect(await look(login, moved)).toBeNull();
});

it('a token works only under the host that it was printed with, also if others were printed', async () => {
  const login = createOneTimeLogin({ actor: ACTOR });
  const [first, second] = [login.createLink(ORIGIN), login.createLink('http://localhost:3000')];
  expect((await press(login, first.replace(ORIGIN, 'http://localhost:3000')))?.status).toBe(410);
  const cookie = await cookieOf(press(login, first));
  expect(ask(login, cookie, 'http://localhost:3000')).toBeNull();
  expect((await press(login, second))?.status).toBe(303);
});

it.each([
  { origin: 'http://127.0.0.1:3001' },
  { origin: 'null' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'none' },
])('a POST of another page gets 403 and leaves the link: %o', async (headers) => {
  const login = createOneTimeLogin({ actor: ACTOR });
  const link = login.createLink(ORIGIN);
  expect((await press(login, link, headers))?.status).toBe(403);
  expect((await press(login, link))?.status).toBe(303);
});

it('ends links and sessions after their time', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const login = createOneTimeLogin({ actor: ACTOR, linkMs: 1_000, sessionMs: 5_000 });
  const [first, second] = [login.createLink(ORIGIN), login.createLink(ORIGIN)];
  const cookie = await cookieOf(press(login, first));
  vi.advanceTimersByTime(1_001);
  expect([(await look(login, second))?.status, (await press(login, second))?.status]).toEqual([410, 410]);
  expect(ask(login, cookie)).toEqual(ACTOR);
  vi.advanceTimersByTime(4_000);
  expect(ask(login, cookie)).toBeNull();
});

it('browsers take the cookie only over https if the link is https', async () => {
  const login = createOneTimeLogin({ actor: ACTOR, path: '/admin' });
  const response = await press(login, login.createLink('https://host.example'));
  expect(response?.headers.get('set-cookie')).toMatch(
    /^__Secure-partner_\w+=[\w-]+; Path=\/admin\/.*; Secure$/,
  );
  const [cookie = ''] = response?.headers.get('set-cookie')?.split(';') ?? [];
  expect(ask(login, cookie, 'https://host.example')).toEqual(ACTOR);
  expect(ask(login, cookie.replace('__Secure-', ''), 'https://host.example')).toBeNull();
});

it.each([ORIGIN, 'https://host.example'])(
  'at %s, two cookies of the name are no session, and sign nobody out',
  async (origin) => {
    const login = createOneTimeLogin({ actor: ACTOR });
    const [cookie, other] = [
      await cookieOf(press(login, login.createLink(origin))),
      await cookieOf(press(login, login.createLink(origin))),
    ];
    const name = cookie.split('=')[0];
    for (const second of [other, cookie, `${name}=planted`, `${name}=`]) {
      for (const both of [`${cookie}; ${second}`, `${second}; ${cookie}`]) {
        expect([both, ask(login, both, origin)]).toEqual([both, null]);
        await login.signOut(new Request(`${origin}${login.path}/sign-out`, { headers: { cookie: both } }));
      }
    }
    const foreign = name?.startsWith('__Secure-') ? name.slice(9) : `__Secure-${name}`;
    for (const alone of [cookie, `${foreign}=planted; ${cookie}`, `${cookie}; ${foreign}=planted`]) {
      expect(ask(login, alone, origin)).toEqual(ACTOR);
    }
  },
);

it.each(['http://host.example', 'http://192.168.0.7:3000', 'http://127.0.0.1.evil.example'])(
  'makes no link for %s, where others can read it',
  (origin) => {
    const login = createOneTimeLogin({ actor: ACTOR });
    expect(() => login.createLink(origin)).toThrow(
      'https, or of this machine, such as http://127.0.0.1:3000',
    );
  },
);

it('names the fix if the console has another path, or a link another form', () => {
  const login = createOneTimeLogin({ actor: ACTOR });
  login.createLink(ORIGIN);
  expect(() => login.actor(new Request(`${ORIGIN}/console`), null)).toThrow('`path: login.path`');
  expect(() => login.createLink(`${ORIGIN}/`)).toThrow('such as http://127.0.0.1:3000');
});
