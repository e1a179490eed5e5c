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
function press(login: OneTimeLogin, link: string) {
  const { origin } = new URL(link);
  return login.signIn(new Request(link, { method: 'POST', headers: { origin } }));
}

async function cookieOf(pressed: Promise<Response | null>): Promise<string> {
  return (await pressed)?.headers.get('set-cookie')?.split(';')[0] ?? '';
}

function ask({ actor, path }: OneTimeLogin, cookie: string) {
  return actor(new Request(`${ORIGIN}${path}/applications`, { headers: { cookie } }), null);
}

it('takes the times of links and sessions, and shows the name of the actor as text', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const login = createOneTimeLogin({ actor: ACTOR, linkMs: 1_000, sessionMs: 5_000 });
  const [first, second] = [login.createLink(ORIGIN), login.createLink(ORIGIN)];
  expect(await (await look(login, first))?.text()).toContain('Local &lt;operator&gt;');
  const cookie = await cookieOf(press(login, first));
  vi.advanceTimersByTime(1_000);
  expect((await look(login, second))?.status).toBe(410);
  vi.advanceTimersByTime(3_999);
  expect(await ask(login, cookie)).toEqual(ACTOR);
  vi.advanceTimersByTime(1);
  expect(await ask(login, cookie)).toBeNull();
});

it('each login has its own path and its own sessions', async () => {
  const [one, other] = [createOneTimeLogin({ actor: ACTOR }), createOneTimeLogin({ actor: ACTOR })];
  expect(one.path).toMatch(/^\/console\/[\w-]{22}$/);
  expect(one.path).not.toBe(other.path);
  other.createLink(ORIGIN);
  const cookie = await cookieOf(press(one, one.createLink(ORIGIN)));
  expect(await ask(one, cookie)).toEqual(ACTOR);
  expect(await ask(other, cookie)).toBeNull();
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
  expect(await ask(login, cookie)).toEqual({ ...ACTOR, partnerIds: ['ptn_1'] });
});

it.each(['http://host.example', 'http://192.168.0.7:3000', 'http://127.0.0.1.evil.example'])(
  'makes no link for %s, where others can read it',
  (origin) => {
    const login = createOneTimeLogin({ actor: ACTOR });
    expect(() => login.createLink(origin)).toThrow(
      'https, or of this machine, such as http://127.0.0.1:3000',
    );
  },
);

it('names the fix if the console has another path, or a link another form', async () => {
  const login = createOneTimeLogin({ actor: ACTOR });
  login.createLink(ORIGIN);
  await expect(login.actor(new Request(`${ORIGIN}/console`), null)).rejects.toThrow('`path: login.path`');
  expect(() => login.createLink(`${ORIGIN}/`)).toThrow('such as http://127.0.0.1:3000');
});
