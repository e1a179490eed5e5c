import type { PartnerId } from '@partner-hiring/core/ports';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ConsoleActor } from './actor.js';
import { createOneTimeLogin } from './one-time-login.js';
import { CONSOLE_RIGHTS } from './rights.js';

const ACTOR = {
  id: 'local',
  name: 'Local operator',
  rights: CONSOLE_RIGHTS.admin,
  partnerIds: 'all',
} as const;
const ORIGIN = 'http://127.0.0.1:3000';

function cookieOf(response: Response | null): string {
  return response?.headers.get('set-cookie')?.split(';')[0] ?? '';
}

const asking = (cookie: string) => new Request(`${ORIGIN}/console`, { headers: { cookie } });

it('a link works once, and gives a session', async () => {
  const login = createOneTimeLogin({ actor: ACTOR });
  const link = login.createLink(ORIGIN);
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:3000\/console\/sign-in\?token=[\w-]{43}$/);
  const response = login.signIn(new Request(link));
  expect(response?.headers.get('set-cookie')).toMatch(
    /; Path=\/console; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  );
  expect(await response?.text()).toContain('url=/console');
  expect(login.actor(asking(cookieOf(response)), null)).toEqual(ACTOR);
  expect(login.signIn(new Request(link))).toBeNull();
});

it('refuses a wrong actor at once, and keeps its own copy of a right one', () => {
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
  const cookie = cookieOf(login.signIn(new Request(login.createLink(ORIGIN))));
  expect(login.actor(asking(cookie), null)).toEqual({ ...ACTOR, partnerIds: ['ptn_1'] });
});

it('lets nobody in without a valid session or link', () => {
  const login = createOneTimeLogin({ actor: ACTOR });
  const token = new URL(login.createLink(ORIGIN)).searchParams.get('token') ?? '';
  for (const cookie of ['', 'partner_hiring_console_session=', `partner_hiring_console_session=${token}`]) {
    expect(login.actor(asking(cookie), null)).toBeNull();
  }
  for (const query of ['', '?token=', '?token=x']) {
    expect(login.signIn(new Request(`${ORIGIN}/console/sign-in${query}`))).toBeNull();
  }
  expect(
    login.signIn(new Request(`${ORIGIN}/console/sign-in?token=${token}`, { method: 'POST' })),
  ).toBeNull();
});

it('ends links and sessions after their time', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const login = createOneTimeLogin({ actor: ACTOR, linkMs: 1_000, sessionMs: 5_000 });
  const [first, second] = [login.createLink(ORIGIN), login.createLink(ORIGIN)];
  const cookie = cookieOf(login.signIn(new Request(first)));
  vi.advanceTimersByTime(1_001);
  expect(login.signIn(new Request(second))).toBeNull();
  expect(login.actor(asking(cookie), null)).toEqual(ACTOR);
  vi.advanceTimersByTime(4_000);
  expect(login.actor(asking(cookie), null)).toBeNull();
});

it('sends the cookie only over https if the link is https', () => {
  const login = createOneTimeLogin({ actor: ACTOR, path: '/admin' });
  const response = login.signIn(new Request(login.createLink('https://host.example')));
  expect(response?.headers.get('set-cookie')).toContain('Path=/admin; ');
  expect(response?.headers.get('set-cookie')).toContain('; Secure');
});
