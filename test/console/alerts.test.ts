/** What needs a person, and what was sent to whom, in the console. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { afterAll, expect, it } from 'vitest';
import { ADMIN, PERSONAL, visit } from './platform.js';
import { openSystemPlatform } from './seed.js';

const platform = await openSystemPlatform();
afterAll(() => platform.close());

it('shows what is open with its severity and since when, and links from the overview', async () => {
  const visitor = visit(platform.fixture);
  expect((await visitor.get('/console')).text).toContain('href="/console/alerts"');
  const { text } = await visitor.get('/console/alerts');
  const open = await platform.fixture.operator.alerts.open();
  expect(open.map(({ name }) => name)).toContain('endpoints');
  for (const { name, severity, since } of open) {
    expect(severity).toBe(['worker', 'inbox', 'deployment'].includes(name) ? 'critical' : 'warning');
    expect(since).not.toBeNull();
  }
  expect(text).toMatch(
    /warning[\s\S]{0,300}href="\/console\/endpoints"[\s\S]{0,300}failing: [\s\S]{0,300}<time/,
  );
  for (const personal of PERSONAL) expect(text).not.toContain(personal);
});

it('lists which alert was sent when, and whether the partner had a message', async () => {
  const { direct } = platform.storage;
  const { keyId } = platform.hooli;
  const at = await direct.time.now();
  await direct.alerts.add([
    { id: 'alr_told', kind: 'key_rotated', keyId, at, lastFour: 'wxyz', door: 'api' },
    { id: 'alr_sync', kind: 'jobs_sync_recovered', at, operationId: 'op_1', ended: ['held'] },
  ]);
  const claimed = (await direct.alerts.claim({ token: 'mine', forMs: 60_000 }, 100)).map(({ id }) => id);
  await direct.alerts.settle(claimed, 'mine', ['alr_told']);
  const { text } = await visit(platform.fixture).get('/console/alerts');
  expect(text).toMatch(
    /Key rotated[\s\S]{0,400}\/console\/keys\/key_\w+[\s\S]{0,300}with a message for the contact of <[^>]+>Hooli/,
  );
  expect(text).toMatch(/Jobs sync recovered[\s\S]{0,400}the job sync[\s\S]{0,300}your platform</);
  const { hooli, acme } = platform;
  const visitor = visit(platform.fixture);
  const link = `/console/alerts?partner=${hooli.partnerId}`;
  for (const page of [`partners/${hooli.partnerId}`, `endpoints/${hooli.keyId}`])
    expect((await visitor.get(`/console/${page}`)).text, page).toContain(`href="${link}"`);
  const own = (await visitor.get(link)).text;
  expect(own).toContain('Key rotated');
  expect(own).not.toContain('Jobs sync recovered');
  expect((await visitor.get(`/console/alerts?partner=${acme.partnerId}`)).text).not.toContain('Key rotated');
  const { items } = await platform.fixture.operator.alerts.listSent();
  expect(items.find(({ id }) => id === 'alr_told')).toMatchObject({
    isTold: true,
    partner: { partnerName: 'Hooli' },
  });
});

it('is only for somebody for all partners', async () => {
  const visitor = visit(platform.fixture);
  visitor.become({ ...ADMIN, rights: CONSOLE_RIGHTS.viewer, partnerIds: [platform.hooli.partnerId] });
  expect((await visitor.get('/console')).text).not.toContain('Open alerts, and what was sent');
  const { text } = await visitor.get('/console/alerts');
  expect(text).toContain('Your rights cover some partners.');
  expect(text).not.toContain('failing:');
});
