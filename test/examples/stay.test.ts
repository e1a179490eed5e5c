import { StorageUnavailable } from '@partner-hiring/core';
import { expect, test, vi } from 'vitest';
import type { Deployment } from '../../examples/replicas/deployment.js';
import { stayOpen } from '../../examples/replicas/stay.js';
import { runProgram } from './run-program.js';

const NEVER = new Promise<never>(() => {});

test('what stays open ends at Ctrl-C, and asks nothing of a storage that is closed then', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  const list = vi.fn().mockResolvedValue({ items: [], nextCursor: null });
  const deployment = {
    balancer: { address: '' },
    operator: { applications: { list } },
  } as unknown as Deployment;
  let interrupt = (_reason: Error) => {};
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = reject;
  });
  const staying = stayOpen(deployment, [], interrupted);
  await expect.poll(() => list.mock.calls.length).toBe(1);
  interrupt(new Error('Interrupted by SIGINT'));
  expect(await staying).toBeUndefined();
  expect(list).toHaveBeenCalledTimes(1);
});

test('what stays open goes on when its database is back', async () => {
  const said = vi.spyOn(console, 'log').mockImplementation(() => {});
  const applications = {
    list: vi
      .fn()
      .mockRejectedValueOnce(new StorageUnavailable('The database cannot be used.'))
      .mockResolvedValueOnce({ items: [{ id: 'ej_app_1', status: 'received' }], nextCursor: null })
      // The test is at its end.
      .mockRejectedValue(new Error('enough')),
    beginEvaluation: vi.fn(),
    decide: vi.fn(),
  };
  const deployment = { balancer: { address: '' }, operator: { applications } } as unknown as Deployment;
  await expect(stayOpen(deployment, [], NEVER)).rejects.toThrow('enough');
  expect(said.mock.calls.join()).toContain('The database cannot be used.');
  expect(applications.decide).toHaveBeenCalledWith({ id: 'ej_app_1', decision: 'accepted' });
});

test('an option that the replicas do not have is told without a stack', async () => {
  const ended = await runProgram('replicas/main.ts', ['--sty'], {});
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toMatch(/^Unknown option '--sty'.*--stay/);
  expect(ended.stderr).not.toMatch(/^\s+at /m);
});
