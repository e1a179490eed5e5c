/** The whole installation in the console. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { visit } from './platform.js';
import { noticeOf, openSystemPlatform, seedParked, seedWorkers } from './seed.js';

const platform = perTest(openSystemPlatform, ({ close }) => close());

it('says first that no worker runs, and shows the database and the backlog', async () => {
  const { text, status } = await visit(platform.fixture).get('/console/system');
  expect(status).toBe(200);
  expect(text).toContain('No worker is alive: nothing is sent.');
  expect(text).toContain(process.env.STORAGE === 'postgres' ? 'postgres' : 'sqlite');
  expect(text).toContain('<dt>Schema version</dt>');
  expect(text).toContain('1 paused');
});

it('shows which worker died and which one runs, and refreshes the figures', async () => {
  const { fixture } = platform;
  await seedWorkers(platform);
  const visitor = visit(fixture);
  const { text } = await visitor.get('/console/system');
  expect(text).toContain('1 worker is alive. 1 ended without stopping');
  expect(text).toMatch(/news warn[\s\S]{0,100}The workers keep up, but 1 worker died/);
  expect(text).not.toContain('The workers run and keep up.');
  expect(text).toMatch(/worker-dead, process 4711[\s\S]{0,200}died/);
  expect(text).toMatch(/worker-alive, process 4712[\s\S]{0,200}alive/);
  const live = JSON.parse((await visitor.get('/console/system/live')).text);
  expect(live).toMatchObject({ alive: '1', paused: expect.any(String), unread: expect.any(String) });
  for (const name of Object.keys(live)) expect(text).toContain(`data-live="${name}"`);
});

it('shows a worker that sleeps as alive, until it does not wake at the time that it announced', async () => {
  const { fixture, storage } = platform;
  await storage.direct.workers.beat({
    id: 'wkr_asleep',
    name: 'worker-asleep',
    pid: 4713,
    release: '0.1.0',
    deployment: null,
    lastSweepAt: null,
    sealing: null,
    sleepMs: 60 * 60_000,
  });
  await fixture.pass(20 * 60_000);
  const visitor = visit(fixture);
  const asleep = (await visitor.get('/console/system')).text;
  expect(asleep).toContain('1 worker is alive.');
  expect(asleep).toMatch(/worker-asleep, process 4713[\s\S]{0,400}sleeps for 40 minutes/);
  await fixture.pass(42 * 60_000);
  const late = (await visitor.get('/console/system')).text;
  expect(late).toContain('No worker is alive: nothing is sent.');
  expect(late).toMatch(/worker-asleep, process 4713[\s\S]{0,200}died/);
});

it('retries parked items of the inbox: one, or all after asking', async () => {
  const { fixture } = platform;
  const applicationIds = await seedParked(platform);
  const visitor = visit(fixture);
  const list = () => fixture.operator.inbox.list({ state: 'parked' });
  const { text } = await visitor.get('/console/system');
  for (const id of applicationIds) expect(text).toContain(`/console/applications/${id}"`);
  expect(text).toContain('the host is closed');
  const parked = (await list()).items;
  expect(parked.length).toBeGreaterThan(1);
  expect(noticeOf(await visitor.post('/console/system/inbox/retry', { item: parked[0]?.id ?? '' }))).toBe(
    '1 item is handed over again.',
  );
  expect((await list()).items).toHaveLength(parked.length - 1);
  const retryAll = () => visitor.post('/console/system/inbox/retry', { item: 'all' });
  expect((await retryAll()).text).toContain('Retry 1 parked item?');
  await visitor.post('/console/system/inbox/retry', { item: 'all', confirmed: 'yes' });
  expect((await list()).items).toEqual([]);
  expect(noticeOf(await retryAll())).toBe('Nothing is parked, so there is nothing to retry.');
});

it('shows the host’s errors only to actors who may see candidates', async () => {
  const { fixture } = platform;
  const [id] = await seedParked(platform);
  const visitor = visit(fixture);
  const pages = ['/console/system', `/console/applications/${id}`];
  for (const path of pages) expect((await visitor.get(path)).text).toContain('the host is closed');
  visitor.become({ id: 'user_2', name: 'Vic', rights: CONSOLE_RIGHTS.viewer, partnerIds: 'all' });
  for (const path of pages) {
    const { status, text } = await visitor.get(path);
    expect(status).toBe(200);
    expect(text).not.toContain('the host is closed');
  }
});

it('turns the inbox on and off after asking', async () => {
  const { fixture } = platform;
  const visitor = visit(fixture);
  const isOn = async () => (await fixture.operator.system.status()).inbox.isOn;
  const before = await isOn();
  const [first, second] = before ? ['turn-off', 'turn-on'] : ['turn-on', 'turn-off'];
  expect((await visitor.post(`/console/system/inbox/${first}`)).text).toContain('in all processes');
  expect(await isOn()).toBe(before);
  await visitor.post(`/console/system/inbox/${first}`, { confirmed: 'yes' });
  expect(await isOn()).toBe(!before);
  await visitor.post(`/console/system/inbox/${second}`, { confirmed: 'yes' });
  expect(await isOn()).toBe(before);
});

it('shows nothing of the system to somebody for one partner', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  visitor.become({ id: 'user_2', name: 'Kim', rights: CONSOLE_RIGHTS.admin, partnerIds: [acme.partnerId] });
  expect((await visitor.get('/console/system')).text).not.toContain('worker');
  expect((await visitor.get('/console/system/live')).status).toBe(404);
  expect((await visitor.post('/console/system/inbox/retry', { item: 'all', confirmed: 'yes' })).status).toBe(
    404,
  );
});
