import { expect, test } from 'vitest';
import { openJobFiles } from './job-files.js';
import { openServer } from './open-server.js';

test('jobs sync keeps the jobs of all cells in step', async () => {
  const { cli, json, connection } = await openServer(2);
  expect(connection).toContain('--schemas');
  const write = await openJobFiles();
  const sync = async (...ids: readonly string[]) =>
    cli('jobs', 'sync', '--file', await write(...ids.map((id) => ({ id }))));
  expect((await sync('job_1', 'job_2')).stdout).toMatch(/^2 added, /);
  expect((await sync('job_2')).stdout).toMatch(/^0 added, .* 1 closed, 1 unchanged/);
  expect(await json('jobs', '--state', 'open')).toMatchObject({ items: [{ id: 'job_2' }] });
  expect((await cli('jobs', 'last-sync')).code).toBe(0);
});
