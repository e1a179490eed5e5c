import { describe, expect, it } from 'vitest';
import { INSTALLED_PACKAGES, type StoragePackages } from '../connection/load-storage.js';
import { loadCommands, loadCommandsFor, PROGRAM_COMMANDS } from './all-commands.js';

const packagesWith = (postgres: StoragePackages['postgres']): StoragePackages => ({
  ...INSTALLED_PACKAGES,
  postgres,
});

const notInstalled = packagesWith(async () => {
  const message = "Cannot find package '@partner-hiring/postgres' imported from cli.js";
  throw Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
});

const broken = packagesWith(async () => {
  throw new Error('The package is broken.');
});

describe('the commands of the program', () => {
  it('include those that the package of a storage brings', async () => {
    const { groups } = await loadCommands();
    expect(Object.keys(groups)).toEqual([...Object.keys(PROGRAM_COMMANDS.groups), 'cells']);
    expect(Object.keys(groups.cells?.commands ?? {})).toEqual(['list', 'add', 'move']);
  });

  it('leave out those of a storage that is not installed', async () => {
    expect(await loadCommands(notInstalled)).toEqual(PROGRAM_COMMANDS);
    await expect(loadCommands(broken)).rejects.toThrow('The package is broken.');
  });

  it.each([['jobs', 'list'], ['doctor']])('load no storage for %s', async (...argv) => {
    expect(await loadCommandsFor(argv, broken)).toBe(PROGRAM_COMMANDS);
  });

  it.each([[], ['--help'], ['--schemas', 'a,b', 'cells']])(
    'load a storage for the words %j and %j',
    async (...argv) => {
      expect(Object.keys((await loadCommandsFor(argv)).groups)).toContain('cells');
    },
  );
});
