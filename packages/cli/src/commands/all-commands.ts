import type { CommandGroup, CommandTable, OperatorCommand } from '../command/command.js';
import { completion } from '../completion/completion-command.js';
import { INSTALLED_PACKAGES, type StoragePackages } from '../connection/load-storage.js';
import { CLI_FEATURES, type CliFeature } from '../features/features.js';
import { BASE_GROUPS, type BaseGroup } from '../groups/groups.js';
import { consoleCommand } from './console-command.js';
import { doctor } from './doctor-command.js';
import { exportAll } from './export-all-command.js';
import { migrateDatabase } from './migrate-command.js';
import { loadStorageGroups } from './storage-commands.js';

/** The names that the features declare, such as of their groups. */
type Declared<Part extends 'groups' | 'singles'> = Each<(typeof CLI_FEATURES)[number], Part>;
type Each<Feature, Part extends string> =
  Feature extends Readonly<Record<Part, infer Named>> ? keyof Named : never;

/** The commands that every host has. The groups mirror the library's operator. */
export const OPERATOR_TABLE = {
  groups: groupsOf(CLI_FEATURES) as Readonly<Record<BaseGroup | Declared<'groups'>, CommandGroup>>,
  singles: Object.fromEntries(
    CLI_FEATURES.flatMap(({ singles = {} }: CliFeature) => Object.entries(singles)),
  ) as Readonly<Record<Declared<'singles'>, OperatorCommand>>,
} as const satisfies CommandTable;

/** Returns the groups of the base with what the features add, and behind them the features' own groups. */
export function groupsOf(features: readonly CliFeature[]): Readonly<Record<string, CommandGroup>> {
  const groups = Object.entries<CommandGroup>(BASE_GROUPS).map(([name, { commands, ...group }]) => {
    const added = features.flatMap(({ adds = {} }) => Object.entries(adds[name as BaseGroup] ?? {}));
    return [name, { ...group, commands: { ...commands, ...Object.fromEntries(added) } }] as const;
  });
  for (const { groups: own = {}, after } of features) {
    const behind = groups.findIndex(([name]) => name === after);
    groups.splice(behind < 0 ? groups.length : behind + 1, 0, ...Object.entries(own));
  }
  return Object.fromEntries(groups);
}

/**
 * The commands of the program `partner-hiring`. Single commands that need a database but no operator belong here: they
 * find it with `context.database()`.
 */
export const PROGRAM_COMMANDS: CommandTable = {
  groups: OPERATOR_TABLE.groups,
  singles: {
    ...OPERATOR_TABLE.singles,
    doctor,
    migrate: migrateDatabase,
    console: consoleCommand,
    'export-all': exportAll,
    completion,
  },
};

/** Returns the commands of the program, with those of the installed storages. */
export async function loadCommands(packages: StoragePackages = INSTALLED_PACKAGES): Promise<CommandTable> {
  const { groups, singles } = PROGRAM_COMMANDS;
  return { groups: { ...groups, ...(await loadStorageGroups(packages)) }, singles };
}

/**
 * Like {@link loadCommands}, but loads no storage if the command line begins with a command that belongs to no storage.
 */
export async function loadCommandsFor(
  [first = '']: readonly string[],
  packages?: StoragePackages,
): Promise<CommandTable> {
  const { groups, singles } = PROGRAM_COMMANDS;
  const isKnown = Object.hasOwn(groups, first) || Object.hasOwn(singles, first);
  return isKnown ? PROGRAM_COMMANDS : loadCommands(packages);
}
