import { describe, expect, it } from 'vitest';
import type { CommandGroup, OperatorCommand } from '../command/command.js';
import { INSTALLED_PACKAGES, type StoragePackages } from '../connection/load-storage.js';
import { CLI_FEATURES, type CliFeature } from '../features/features.js';
import { BASE_GROUPS } from '../groups/groups.js';
import { groupsOf, loadCommands, loadCommandsFor, PROGRAM_COMMANDS } from './all-commands.js';

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

describe('the commands of features', () => {
  it('replace no command of the base or of another feature', () => {
    const own = CLI_FEATURES.flatMap((feature: CliFeature) => [
      `the feature ${feature.name}`,
      ...Object.keys(feature.groups ?? {}),
      ...Object.keys(feature.singles ?? {}),
      ...Object.entries(feature.adds ?? {}).flatMap(([group, added]) =>
        Object.keys(added).map((verb) => `${group} ${verb}`),
      ),
    ]);
    const base = Object.entries<CommandGroup>(BASE_GROUPS).flatMap(([group, { commands }]) => [
      group,
      ...Object.keys(commands).map((verb) => `${group} ${verb}`),
    ]);
    const all = [...base, ...own];
    expect(all.filter((each, index) => all.indexOf(each) !== index)).toEqual([]);
  });

  it('are behind those of the base, or behind the group that a feature names', () => {
    const { list } = BASE_GROUPS.jobs.commands;
    const group: CommandGroup = {
      summary: 'Made up',
      standard: 'all',
      commands: { all: list as OperatorCommand },
    };
    const features: readonly CliFeature[] = [
      { name: 'last', groups: { last: group } },
      { name: 'behind', groups: { one: group, two: group }, after: 'keys' },
      { name: 'within', adds: { keys: { more: group.commands.all as OperatorCommand } } },
    ];
    const groups = groupsOf(features);
    const [partners, keys, ...others] = Object.keys(BASE_GROUPS);
    expect(Object.keys(groups)).toEqual([partners, keys, 'one', 'two', ...others, 'last']);
    expect(Object.keys(groups.keys?.commands ?? {})).toEqual([
      ...Object.keys(BASE_GROUPS.keys.commands),
      'more',
    ]);
    expect(Object.keys(groupsOf([]).keys?.commands ?? {})).not.toContain('readiness');
  });
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
