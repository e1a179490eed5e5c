/** The console where a proxy removes the start of the path. `test/behind-a-proxy` follows all links. */
import { createOneTimeLogin } from '@partner-hiring/console';
import { createPartnerPortal } from '@partner-hiring/console/portal';
import { afterAll, expect, it } from 'vitest';
import { ADMIN, ORIGIN, openPlatform, visit } from './platform.js';

const platform = await openPlatform();
afterAll(() => platform.close());

/** Requests of Fastify, from a proxy that it trusts and from another client. */
const TRUSTED = { ips: ['10.0.0.1', '203.0.113.9'] };
const OTHER = { ips: ['203.0.113.9'] };

function ask(
  visitor: ReturnType<typeof visit>,
  prefix: string,
  host: unknown,
  path = '/console/applications',
) {
  const headers = { 'x-forwarded-prefix': prefix };
  return visitor.console.fetch(new Request(`${ORIGIN}${path}`, { headers }), host);
}

const addressesOf = (text: string) =>
  [...text.matchAll(/\s(?:href|src|action)="(\/[^"]*)"/g)].map(([, one]) => one);

it('takes the prefix of a trusted proxy, and of nobody else', async () => {
  const visitor = visit(platform.fixture);
  const behind = addressesOf(await (await ask(visitor, '/hiring', TRUSTED)).text());
  expect(behind.length).toBeGreaterThan(20);
  expect(behind.filter((address) => !address?.startsWith('/hiring/console'))).toEqual([]);
  expect(visitor.logged).toEqual([]);
  for (let count = 0; count < 50; count += 1) {
    for (const [prefix, host] of [
      ['/hiring', OTHER],
      ['/hiring', undefined],
      ['/hiring/', TRUSTED],
      ['/a, /b', TRUSTED],
      ['"><script>', TRUSTED],
    ] as const) {
      const text = await (await ask(visitor, prefix, host)).text();
      expect(addressesOf(text).filter((address) => !address?.startsWith('/console'))).toEqual([]);
    }
  }
  expect(visitor.logged.map(({ message }) => message)).toEqual([
    expect.stringContaining('X-Forwarded-Prefix was ignored: the server does not trust who sent it'),
    expect.stringContaining('X-Forwarded-Prefix was ignored: it must be a path such as /hiring'),
  ]);
});

it('the option wins, warns of nothing, and is put before the host’s own addresses', async () => {
  const warnings: string[] = [];
  const logger = { error: () => {}, warn: (_: object, message: string) => void warnings.push(message) };
  const visitor = visit(platform.fixture, { publicPath: '/own', signOutUrl: '/logout', logger });
  const text = await (await ask(visitor, '/other', TRUSTED)).text();
  expect(addressesOf(text).filter((address) => !address?.startsWith('/own/'))).toEqual([]);
  expect(text).toContain('href="/own/logout"');
  expect(warnings).toEqual([]);
  const elsewhere = visit(platform.fixture, { publicPath: '/own', signOutUrl: 'https://id.example.com/out' });
  expect((await elsewhere.get('/console')).text).toContain('href="https://id.example.com/out"');
  const without = visit(platform.fixture, { logger });
  await ask(without, '/hiring', OTHER);
  expect(warnings).toHaveLength(1);
});

it('a notice reaches the next page, and a form from another site is refused as before', async () => {
  const visitor = visit(platform.fixture, { publicPath: '/hiring' });
  const path = `/console/applications/${platform.alan}/move`;
  const moved = await visitor.post(path, { stage: 'under_review' });
  const target = `/hiring/console/applications/${platform.alan}`;
  expect([moved.status, moved.headers.get('location')]).toEqual([303, target]);
  const [cookie = ''] = moved.headers.getSetCookie();
  expect(cookie).toContain('; Path=/hiring/console; ');
  const next = await visitor.console.fetch(
    new Request(`${ORIGIN}/console/applications/${platform.alan}`, {
      headers: { cookie: cookie.split(';')[0] ?? '' },
    }),
  );
  expect(await next.text()).toContain('The application was moved.');
  expect(next.headers.getSetCookie()).toEqual([expect.stringContaining('Path=/hiring/console; Max-Age=0')]);
  expect((await visitor.post(path, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
});

it('a one-time link has the prefix of its address, and its session the path that browsers see', async () => {
  const login = createOneTimeLogin({ actor: ADMIN });
  const { actor, signIn, signOut, path } = login;
  const visitor = visit(platform.fixture, { actor, signIn, signOut, path });
  const link = login.createLink(`${ORIGIN}/hiring`);
  expect(link).toMatch(new RegExp(`^${ORIGIN}/hiring${path}/sign-in\\?token=[\\w-]{43}$`));
  const inside = `${link.replace('/hiring', '')}`;
  const headers = { 'x-forwarded-prefix': '/hiring', origin: ORIGIN };
  const signedIn = await visitor.console.fetch(new Request(inside, { method: 'POST', headers }), TRUSTED);
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, `/hiring${path}`]);
  const [session = ''] = signedIn.headers.getSetCookie();
  expect(session).toContain(`; Path=/hiring${path}; `);
  const out = await visitor.console.fetch(
    new Request(`${ORIGIN}${path}/sign-out`, {
      method: 'POST',
      headers: { ...headers, cookie: session.split(';')[0] ?? '' },
    }),
    TRUSTED,
  );
  expect(out.headers.getSetCookie()).toEqual([expect.stringContaining(`; Path=/hiring${path}; Max-Age=0`)]);
  for (const address of [`${ORIGIN}/hiring/`, `${ORIGIN}/?x`, `${ORIGIN}/a/../b`, `${ORIGIN}//b`]) {
    expect(() => login.createLink(address)).toThrow('such as http://127.0.0.1:3000');
  }
});

it.each(['hiring', '/hiring/', '/', '', '/a b', '/../x', '/hiring/console', `/${'x'.repeat(200)}`, 7, null])(
  'refuses the public path %j at the start, with the fix',
  (given) => {
    const publicPath = given as string;
    const { operator } = platform.fixture;
    const fix = 'must be the path that your proxy removes, such as "/hiring"';
    expect(() => visit(platform.fixture, { publicPath })).toThrow(`createConsole: \`publicPath\` ${fix}`);
    expect(() => createPartnerPortal({ operator, publicPath, path: '/console' })).toThrow(
      `createPartnerPortal: \`publicPath\` ${fix}`,
    );
  },
);
