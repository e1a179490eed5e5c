import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createReceiver, WEBHOOK_PATH } from '../../examples/receiver/receiver.js';
import { startChromium } from '../tools/browser/chromium.js';
import { freePort } from './free-port.js';
import { outsideExample } from './run-outside.js';
import { type Outside, startOutside } from './start-outside.js';
import { submit } from './submit.js';

const STAFF_TOKEN = randomBytes(32).toString('hex');
const STAFF = { cookie: `staff=${STAFF_TOKEN}` };

let next: Outside;
let origin: string;
let secret = '';
const events: string[] = [];
const receiver = createReceiver({
  secrets: () => [secret],
  onDelivery: (delivery) => events.push(JSON.stringify(delivery)),
});

beforeAll(async () => {
  const webhooks = await receiver.listen({ host: '127.0.0.1', port: 0 });
  const PORT = String(await freePort());
  origin = `http://127.0.0.1:${PORT}`;
  next = await startOutside([outsideExample('next')], {
    PORT,
    STAFF_TOKEN,
    DATABASE_FILE: 'platform.sqlite',
    PARTNER_HIRING_SEALING_KEY: randomBytes(32).toString('base64'),
    ALLOW_PRIVATE_NETWORKS: 'yes',
    WEBHOOK_URL: `${webhooks}${WEBHOOK_PATH}`,
    NEXT_TELEMETRY_DISABLED: '1',
  });
});

afterAll(async () => {
  await next?.stop();
  await receiver.close();
});

it('shows a candidate of a partner on a page, hires her there, and tells the partner', async () => {
  const [, key = ''] = await next.waitFor(/API key (\S+)/);
  [, secret = ''] = await next.waitFor(/Signing secret (\S+)/);
  const api = `${origin}/api/v1/external`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  expect(await (await fetch(`${api}/jobs`, { headers })).json()).toMatchObject({
    data: [{ id: 'job_4711' }],
  });
  expect((await fetch(`${api}/jobs`, { method: 'PATCH', headers })).status).toBe(405);
  const reply = await submit(api, headers);

  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    await page.goto(origin);
    await page.getByLabel('Staff token').fill(STAFF_TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Candidates' }).waitFor({ timeout: 10_000 });
    const isThere = async () => {
      await page.goto(origin);
      return page.getByText('Ada Lovelace: new').count();
    };
    await expect.poll(isThere, { timeout: 10_000 }).toBe(1);
    await expectNothingForStrangers();
    await page.getByRole('button', { name: 'Hire Ada Lovelace' }).click();
    await page
      .getByText('Ada Lovelace: hired')
      .waitFor({ timeout: 10_000 })
      .catch((error: Error) => {
        throw new Error(`${error.message}\n${next.output()}`);
      });
  } finally {
    await browser.close();
  }
  await expect.poll(() => events.join('\n'), { timeout: 10_000 }).toContain('"accepted"');
  const { id } = JSON.parse(reply) as { id: string };
  expect(await (await fetch(`${api}/applications/${id}`, { headers })).json()).toMatchObject({
    status: 'accepted',
  });
});

/** Sends the form that hires, and asks for the page, without a sign-in. */
async function expectNothingForStrangers(): Promise<void> {
  const read = async (headers: Readonly<Record<string, string>>) => (await fetch(origin, { headers })).text();
  const [form = ''] = /<form(?:(?!<\/form>).)*Ada Lovelace.*?<\/form>/s.exec(await read(STAFF)) ?? [];
  const fields = [...form.matchAll(/<input[^>]*name="([^"]*)"(?:[^>]*value="([^"]*)")?/g)];
  expect(fields.map(([, name]) => name)).toContain('id');
  const send = async (headers: Readonly<Record<string, string>>) => {
    const body = new FormData();
    for (const [, name = '', value = ''] of fields) body.append(name, value);
    return (await fetch(origin, { method: 'POST', headers: { origin, ...headers }, body })).text();
  };
  for (const headers of [{}, { cookie: 'staff=' }, { cookie: 'staff=rosa' }, { rsc: '1' }]) {
    expect(await read(headers)).not.toContain('Lovelace');
    expect(await send(headers)).not.toContain('Lovelace');
  }
  expect(next.output()).toContain('Sign in first.');
  expect(await read(STAFF)).toMatch(/Ada Lovelace<[^:]*>: <[^:]*>new/);
}
