/** The one-time login over real connections, in each framework. `browser/one-time-login.test.ts` shows the cookies. */
import { request } from 'node:http';
import { CONSOLE_RIGHTS, createConsole, createOneTimeLogin } from '@partner-hiring/console';
import type { Fixture } from '@partner-hiring/test-support/fixture';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../conformance/listen.js';
import { MOUNTS, type Mount } from './mounts.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' };

interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly cookies: readonly string[];
  readonly text: string;
}

/** Serves a console with a one-time login. The default is the command line's server, which has nothing else. */
async function serve(mount: Mount = ({ node }) => listen((asked, reply) => node(asked, reply))) {
  const login = createOneTimeLogin({
    actor: { id: 'local', name: 'Local operator', rights: CONSOLE_RIGHTS.admin, partnerIds: 'all' },
  });
  const { actor, signIn, signOut, path } = login;
  const { port, close } = await mount(
    createConsole({ operator: fixture.operator, actor, signIn, signOut, path }),
  );
  onTestFinished(close);
  const host = `127.0.0.1:${port}`;
  /** Sends a request with these headers. Unlike `fetch`, it may name any host. */
  const ask = (target: string, method = 'GET', headers: Readonly<Record<string, string>> = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path: target, method, headers: { host, ...headers } });
      sent.on('error', reject);
      sent.on('response', async (response) => {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
        const { location, 'set-cookie': cookies = [] } = response.headers;
        resolve({ status: response.statusCode ?? 0, location, cookies, text });
      });
      sent.end();
    });
  /** Presses the button of a page. */
  const press = (target: string, headers: Readonly<Record<string, string>> = {}) =>
    ask(target, 'POST', { ...FORM, origin: `http://${host}`, ...headers });
  const createTarget = () => login.createLink(`http://${host}`).slice(`http://${host}`.length);
  return { port, path, ask, press, createTarget };
}

describe.each(Object.entries(MOUNTS))('%s', (_, mount) => {
  it('signs in by the button of a link, once and only under the printed host', async () => {
    const { port, path, ask, press, createTarget } = await serve(mount);
    const target = createTarget();
    for (const method of ['GET', 'HEAD', 'GET']) {
      expect(await ask(target, method)).toMatchObject({ status: 200, cookies: [] });
    }
    expect((await ask(path)).status).toBe(404);
    for (const host of [`localhost:${port}`, `evil.example:${port}`, '127.0.0.1']) {
      expect([host, (await ask(target, 'GET', { host })).status]).toEqual([host, 404]);
      expect([host, (await press(target, { host, origin: `http://${host}` })).status]).toEqual([host, 404]);
    }
    const otherPort = { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' };
    expect(await press(target, otherPort)).toMatchObject({ status: 403, cookies: [] });

    const pressed = await press(target);
    expect(pressed).toMatchObject({ status: 303, location: path });
    expect(pressed.cookies).toEqual([expect.stringContaining(`; Path=${path}; `)]);
    const cookie = pressed.cookies[0]?.split(';')[0] ?? '';
    const page = await ask(path, 'GET', { cookie });
    expect(page.status).toBe(200);
    expect(page.text).toContain('Signed in as <strong>Local operator</strong>');
    expect((await ask(path, 'GET', { cookie, host: `localhost:${port}` })).status).toBe(404);
    expect((await ask(path)).status).toBe(404);

    for (const used of [await press(target), await ask(target), await press(target, { cookie })]) {
      expect(used).toMatchObject({ status: 410, cookies: [] });
      expect(used.text).toContain('restart the program');
    }
    expect(await ask(target, 'GET', { host: `localhost:${port}` })).toMatchObject({ status: 404 });
  });
});

it('outside of the random path, all answers are one plain 404', async () => {
  const { path, ask, press, createTarget } = await serve();
  const target = createTarget();
  await press(target);
  const [, random = ''] = /^\/console\/(.*)$/.exec(path) ?? [];
  const guess = random.replaceAll(/./g, 'A');
  const elsewhere = ['/', '/console', '/console/', '/console/sign-in', `/${random}`, `/consoles/${random}`];
  const like = [
    target.replace(random, guess),
    target.replace(`/${random}`, ''),
    `${path}A`,
    path.slice(0, -1),
  ];
  for (const asked of [...elsewhere, ...like]) {
    for (const answer of [await ask(asked), await press(asked), await ask(asked, 'DELETE')]) {
      expect([asked, answer.status, answer.text, answer.cookies]).toEqual([asked, 404, 'Not found', []]);
    }
  }
});
