import type { Command, CommandTable } from '../../packages/cli/src/command/command.js';

/** A command with the words that stand before its arguments: `jobs list`, or `jobs` for its default command. */
export interface CommandPath {
  readonly path: string;
  readonly command: Command;
}

/** Lists the commands of a table. The default command of a group is listed twice. */
export function commandPaths({ groups, singles }: CommandTable): readonly CommandPath[] {
  const ofGroups = Object.entries(groups).flatMap(([group, { commands, standard }]) =>
    Object.entries(commands).flatMap(([verb, command]) => [
      { path: `${group} ${verb}`, command },
      ...(verb === standard ? [{ path: group, command }] : []),
    ]),
  );
  const ofSingles = Object.entries(singles).map(([path, command]) => ({ path, command }));
  return [...ofGroups, ...ofSingles];
}
