/** What Chromium does with the link and the cookie of the one-time login, beside another server on this machine. */
import type { IncomingMessage } from 'node:http';
import { CONSOLE_RIGHTS, createConsole, createOneTimeLogin } from '@partner-hiring/console';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { listen } from '../../conformance/listen.js';
import { checkLooks } from './check-looks.js';
import { startBrowser } from './open-browser.js';

let fixture: Fixture;
let browser: Awaited<ReturnType<typeof startBrowser>>;
beforeAll(async () => {
  [fixture, browser] = await Promise.all([createFixture(), startBrowser()]);
});
afterAll(() => fixture.close());

interface RecordedServer {
  readonly origin: string;
  readonly requests: IncomingMessage[];
  /** Answers with this page from now on. */
  show(html: string): void;
}

/** Another program on this machine: it sees each request that reaches its port, and sets a cookie for all ports. */
async function startStranger(): Promise<RecordedServer> {
  const requests: IncomingMessage[] = [];
  let page = '<title>Stranger</title>';
  const { port, close } = await listen((request, response) => {
    requests.push(request);
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'shared=1; Path=/' }).end(page);
  });
  onTestFinished(close);
  const show = (html: string) => {
    page = `<title>Stranger</title>${html}`;
  };
  return { origin: `http://127.0.0.1:${port}`, requests, show };
}

let origin: string;
let path: string;
let createLink: () => string;
const requests: IncomingMessage[] = [];

beforeEach(async () => {
  requests.length = 0;
  const login = createOneTimeLogin({
    actor: { id: 'local', name: 'Local operator', rights: CONSOLE_RIGHTS.admin, partnerIds: 'all' },
  });
  const { actor, signIn, signOut } = login;
  path = login.path;
  const { node } = createConsole({ operator: fixture.operator, actor, signIn, signOut, path });
  const { port, close } = await listen((request, response) => {
    requests.push(request);
    void node(request, response);
  });
  onTestFinished(close);
  origin = `http://127.0.0.1:${port}`;
  createLink = () => login.createLink(origin);
});

async function openContext() {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  return context;
}

it('a server on another port gets no cookie, and its page cannot reach the console', async () => {
  const stranger = await startStranger();
  const context = await openContext();
  const page = await context.newPage();
  await page.goto(createLink());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Signed in as').waitFor();
  expect(page.url()).toBe(`${origin}${path}`);

  // The browser does share cookies between the ports: the stranger's own one comes to the console.
  await page.goto(stranger.origin);
  await page.goto(`${origin}${path}/audit`);
  await page.getByText('Signed in as').waitFor();
  const sent = requests.findLast(({ url }) => url === `${path}/audit`)?.headers.cookie;
  expect(sent).toContain('shared=1');
  expect(sent).toContain('partner_hiring_console_session=');

  for (const at of ['/', '/console', '/console/', '/console/x/sign-in', `${path.slice(0, -1)}/`]) {
    await page.goto(`${stranger.origin}${at}`);
    expect(await page.evaluate('document.cookie')).toBe('shared=1');
  }
  const cookies = stranger.requests.map(({ headers }) => headers.cookie ?? '');
  expect(cookies.filter((cookie) => cookie.includes('shared=1')).length).toBeGreaterThan(3);
  expect(cookies.join()).not.toContain('partner_hiring');
  expect(stranger.requests.map(({ headers }) => headers.referer ?? '').join()).not.toContain(path);

  // Even a stranger that knew the path could neither read pages nor send forms.
  await page.goto(stranger.origin);
  const read = `fetch('${origin}${path}', { credentials: 'include' }).then((answer) => answer.text(), String)`;
  expect(await page.evaluate(read)).toContain('Failed to fetch');
  stranger.show(
    `<form method="post" action="${origin}${path}/partners"><input name="name" value="Evil"><button>Go</button></form>`,
  );
  await page.goto(stranger.origin);
  await page.getByRole('button', { name: 'Go' }).click();
  await page.getByText('did not come from the console').waitFor();
  expect((await fixture.operator.partners.list()).items).toEqual([]);
});

it('a prefetched link still signs in, and then no other browser', async () => {
  const stranger = await startStranger();
  const [mine, other] = [await (await openContext()).newPage(), await (await openContext()).newPage()];
  const link = createLink();
  stranger.show(`<link rel="prefetch" href="${link}"><a href="${link}">The link in a chat</a>`);
  await mine.goto(stranger.origin);
  await vi.waitFor(() => expect(requests).toHaveLength(1), 60_000);
  expect(requests[0]).toMatchObject({ method: 'GET', headers: { 'sec-purpose': 'prefetch' } });
  // Another browser may look at it, too.
  await other.goto(link);
  await other.getByRole('button', { name: 'Sign in' }).waitFor();

  await mine.getByRole('link', { name: 'The link in a chat' }).click();
  await mine.getByRole('button', { name: 'Sign in' }).click();
  await mine.getByText('Signed in as').waitFor();
  await mine.reload();
  await mine.getByText('Signed in as').waitFor();

  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.getByText('restart the program that printed it').waitFor();
  expect(await other.context().cookies()).toEqual([]);
  await other.getByRole('link', { name: 'open the console' }).click();
  await other.getByText('Not found').waitFor();
  await other.goto(link);
  await other.getByText('restart the program that printed it').waitFor();
});

it('of a double click one POST signs in, and the page leads to the console', async () => {
  const page = await (await openContext()).newPage();
  await page.goto(createLink());
  await page.getByRole('button', { name: 'Sign in' }).dblclick();
  await page.getByText(/Signed in as|open the console/).waitFor();
  await page.goto(`${origin}${path}`);
  await page.getByText('Signed in as').waitFor();
});

it('under another name of this machine, link and console answer 404', async () => {
  const context = await openContext();
  const page = await context.newPage();
  const link = createLink();
  const byName = (address: string) => address.replace('127.0.0.1', 'localhost');
  expect((await page.goto(byName(link)))?.status()).toBe(404);
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Signed in as').waitFor();
  expect((await page.goto(byName(`${origin}${path}`)))?.status()).toBe(404);
  expect((await page.goto(`${origin}/console`))?.status()).toBe(404);
});

it('the page of the link and that of a used link have no serious finding of axe, and nothing is cut off', async () => {
  // Without motion, colours change at once.
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  // These pages have no styles. axe takes that for white, but a browser paints the colour of its canvas.
  const checkPlain = async (name: string) => {
    await page.evaluate("document.documentElement.style.background = 'Canvas'");
    await checkLooks(page, name);
  };
  const link = createLink();
  await page.goto(link);
  await checkPlain('sign-in');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Signed in as').waitFor();
  await page.goto(link);
  await page.getByText('restart the program that printed it').waitFor();
  await checkPlain('used-link');
  await page.goto(`${origin}${path}`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out').waitFor();
  await checkPlain('signed-out');
  expect((await page.goto(`${origin}${path}`))?.status()).toBe(404);
});
