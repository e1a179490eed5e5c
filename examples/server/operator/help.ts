import type { Command, CommandGroup, CommandOption } from './command.js';
import type { CommandGroups } from './parse-command.js';

const RUN = 'npm run operator --';

/** Returns the help of all groups, one group, or one command. */
export function helpText(groups: CommandGroups, groupName: string | null, verb: string | null): string {
  const group = groupName === null ? undefined : groups[groupName];
  if (groupName === null || group === undefined) return overview(groups);
  const command = verb === null ? undefined : group.commands[verb];
  if (verb === null || command === undefined) return groupHelp(groupName, group);
  return commandHelp(groupName, verb, command);
}

function overview(groups: CommandGroups): string {
  const rows = Object.entries(groups).map(([name, { summary, commands }]): Row => {
    return [name, `${summary}: ${Object.keys(commands).join(', ')}`];
  });
  return `Operates the partner API on the database of the server, which may be running.

Usage: ${RUN} <group> <command> [arguments] [--json] [--as NAME] [--reason TEXT]

${columns(rows)}

Each group and command has --help, e.g. ${RUN} jobs --help
To print only JSON: npm run --silent operator -- jobs list --json`;
}

function groupHelp(name: string, { summary, commands, standard }: CommandGroup): string {
  const rows = Object.entries(commands).map(([verb, command]): Row => {
    return [usage(verb, command), command.summary];
  });
  return `${summary}.

Usage: ${RUN} ${name} <command>

${columns(rows)}

Default command: ${standard}`;
}

function commandHelp(group: string, verb: string, command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([name, option]): Row => {
    return [optionUsage(name, option), `${option.summary}${option.isRequired ? ' (required)' : ''}`];
  });
  const rows: readonly Row[] = [
    ...options,
    ['--json', 'Print JSON'],
    ['--as NAME', 'Who acts, for the audit (default: host)'],
    ['--reason TEXT', 'Why, for the audit'],
  ];
  return `${command.summary}.

Usage: ${RUN} ${group} ${usage(verb, command)} [options]

${columns(rows)}`;
}

function usage(verb: string, command: Command): string {
  return [verb, ...(command.arguments ?? []).map((name) => `<${name}>`)].join(' ');
}

function optionUsage(name: string, { value }: CommandOption): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

type Row = readonly [left: string, right: string];

function columns(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}
