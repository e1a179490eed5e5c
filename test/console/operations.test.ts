/** Long acts in the console. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { openPlatform, visit } from './platform.js';
import { seedOperation } from './seed.js';

const platform = perTest(openPlatform, ({ close }) => close());

it('shows a running operation with its progress, which the script refreshes', async () => {
  const { fixture } = platform;
  const id = await seedOperation(platform);
  const visitor = visit(fixture);
  const list = await visitor.get('/console/operations?state=running');
  expect(list.text).toContain(`/console/operations/${id}"`);
  expect(list.text).toContain('0 of 300 (0 %)');
  const { text } = await visitor.get(`/console/operations/${id}`);
  expect(text).toContain('Kim');
  expect(text).toContain(`data-live-source="/console/operations/${id}/live"`);
  const live = JSON.parse((await visitor.get(`/console/operations/${id}/live`)).text);
  expect(live).toEqual({ progress: '0 of 300 (0 %)', done: '0', skipped: '0', percent: '0' });
  for (const name of Object.keys(live)) expect(text).toContain(`data-live="${name}"`);
  await fixture.pass(60_000);
  const done = await visitor.get(`/console/operations/${id}`);
  expect(done.text).toContain('300 of 300 (100 %)');
  expect(done.text).not.toContain('data-live-source');
  expect(done.text).not.toContain('Stop…');
});

it('an erasure is stopped only by somebody who may erase', async () => {
  const { fixture, acme } = platform;
  const companyId = acme.companyId as `co_${string}`;
  const { operation } = await fixture.operator.candidates.eraseMany({ companyId });
  if (operation === null) throw new Error('No erasure was started.');
  const { id } = operation;
  const visitor = visit(fixture);
  const stop = (fields: Readonly<Record<string, string>>) =>
    visitor.post(`/console/operations/${id}/stop`, fields);
  visitor.become({ id: 'user_2', name: 'Kim', rights: CONSOLE_RIGHTS.support, partnerIds: 'all' });
  expect((await visitor.get(`/console/operations/${id}`)).text).not.toContain('Stop…');
  for (const fields of [{}, { confirmed: 'yes' }]) {
    const { status, text } = await stop(fields);
    expect([status, text]).toEqual([403, expect.stringContaining('candidates:erase')]);
  }
  expect((await fixture.operator.operations.find({ id }))?.state).toBe('running');
  const rights = [...CONSOLE_RIGHTS.support, 'candidates:erase'] as const;
  visitor.become({ id: 'user_3', name: 'Vi', rights, partnerIds: 'all' });
  expect((await visitor.get(`/console/operations/${id}`)).text).toContain('Stop…');
  await stop({ confirmed: 'yes' });
  expect((await fixture.operator.operations.find({ id }))?.state).toBe('stopped');
});

it('hides operations from other partners and from actors without the right', async () => {
  const { fixture, globex } = platform;
  const id = (await seedOperation(platform)) as `op_${string}`;
  const visitor = visit(fixture);
  visitor.become({ id: 'user_2', name: 'Kim', rights: CONSOLE_RIGHTS.admin, partnerIds: [globex.partnerId] });
  expect((await visitor.get('/console/operations')).text).not.toContain(id);
  for (const path of ['', '/live'])
    expect((await visitor.get(`/console/operations/${id}${path}`)).status).toBe(404);
  expect((await visitor.post(`/console/operations/${id}/stop`, { confirmed: 'yes' })).status).toBe(404);
  visitor.become({ id: 'user_3', name: 'Vi', rights: CONSOLE_RIGHTS.viewer, partnerIds: 'all' });
  expect((await visitor.post(`/console/operations/${id}/stop`, { confirmed: 'yes' })).status).toBe(403);
  expect((await fixture.operator.operations.find({ id }))?.state).toBe('running');
});
