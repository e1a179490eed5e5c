import type { PostgresCommand, PostgresCommandGroup } from '@partner-hiring/postgres';
import type { CommandGroup, Report, RunContext, StandaloneCommand } from '../command/command.js';
import { UsageError } from '../command/command-error.js';
import type { CommandInput } from '../command/command-input.js';
import { isMissingPackage, type StoragePackages } from '../connection/load-storage.js';
import { sentence, tableReport } from '../report/report.js';

type Groups = Readonly<Record<string, CommandGroup<StandaloneCommand>>>;

/** Returns the groups of commands that the package of a storage brings. Empty if it is not installed. */
export async function loadStorageGroups({ postgres }: StoragePackages): Promise<Groups> {
  try {
    const { POSTGRES_COMMANDS } = await postgres();
    return mapValues(POSTGRES_COMMANDS, toGroup);
  } catch (error) {
    if (isMissingPackage(error, ['@partner-hiring/postgres', 'pg'])) return {};
    throw error;
  }
}

function toGroup({ summary, commands, standard }: PostgresCommandGroup): CommandGroup<StandaloneCommand> {
  return { summary, standard, commands: mapValues(commands, toCommand) };
}

function toCommand(command: PostgresCommand): StandaloneCommand {
  const { summary, arguments: names } = command;
  return { summary, arguments: names, runAlone: (input, context) => run(command, input, context) };
}

async function run(command: PostgresCommand, input: CommandInput, context: RunContext): Promise<Report> {
  const target = context.database();
  if (target.kind !== 'postgres' || target.schemas === undefined) {
    throw new UsageError('Name all schemas of the server, e.g. --schemas ph_1,ph_2. They need PostgreSQL.');
  }
  const { connectionString, schemas } = target;
  const args = command.arguments.map((name) => [
    name,
    name === 'partner' ? input.id(name) : input.argument(name),
  ]);
  const { text, value } = await command.run(
    { connectionString, maxConnections: 2, pipeline: false, schemas },
    Object.fromEntries(args),
  );
  if (typeof text === 'string') return sentence(text, value);
  const titles = Object.keys(text[0] ?? {});
  const columns = titles.map((title) => [title, (row: (typeof text)[number]) => row[title] ?? null] as const);
  return { text: tableReport(text, Object.fromEntries(columns), 'No rows.').text, value };
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Readonly<Record<string, Mapped>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}
