import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPERATOR_TABLE } from '../commands/all-commands.js';
import type { Command } from './command.js';
import { commandFacts } from './command-form.js';
import { argumentName } from './command-option.js';
import { inCommandWords } from './command-words.js';
import { wordOf } from './field-words.js';

const MESSAGES = new URL('../../../../test/scenarios/operator/input-messages.txt', import.meta.url);

/** The messages of the library about invalid inputs, by command. Errors about unknown names are not possible here. */
function messagesByCommand(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  let command = '';
  for (const line of readFileSync(MESSAGES, 'utf8').split('\n')) {
    if (!line.startsWith(' ')) command = line.split(' ')[0] ?? '';
    else if (!line.includes('is unknown')) {
      const message = line.replace(/^ +[^:]*: /, '');
      found.set(command, [...(found.get(command) ?? []), message]);
    }
  }
  return found;
}

/** The fields that have another name on the command line. */
function renamedFields({ library, arguments: args = [], options = {} }: Command): readonly string[] {
  if (library === undefined) return [];
  const words = [...args.map(argumentName), ...Object.keys(options)];
  return commandFacts(library).fields.flatMap((field) => {
    const word = wordOf(field);
    return words.includes(word) && word !== field.name ? [field.name] : [];
  });
}

test('every error of the library names options and arguments as they are typed', () => {
  const messages = messagesByCommand();
  const commands = Object.values(OPERATOR_TABLE.groups).flatMap(({ commands }) => Object.values(commands));
  const checked: string[] = [];
  for (const command of commands) {
    const { library = '' } = command;
    for (const message of messages.get(library) ?? []) {
      const text = inCommandWords(`${library}: ${message}`, OPERATOR_TABLE, command);
      for (const field of renamedFields(command).filter((name) => name !== 'id')) {
        expect(text, library).not.toMatch(new RegExp(`(?<![-<])\\b${field}\\b`));
      }
      checked.push(text);
    }
  }
  expect(checked.length).toBeGreaterThan(150);
});

test('combinations that are refused name the options', () => {
  const { list } = OPERATOR_TABLE.groups.audit.commands;
  const message =
    'audit.list: `actorId` and `object` cannot be combined. Pass one of `actorId`, `act`, `keyId` and `object`, or none, with or without `since` and `until`. Nothing was changed.';
  expect(inCommandWords(message, OPERATOR_TABLE, list as Command)).toBe(
    'audit list: --actor and --object cannot be combined. Pass one of --actor, --act, --key and --object, or none, with or without --since and --until. Nothing was changed.',
  );
  const erase = OPERATOR_TABLE.groups.candidates.commands['erase-many'] as Command;
  expect(
    inCommandWords(
      'candidates.eraseMany: the input must have companyId, changedBefore or both. Nothing was changed.',
      OPERATOR_TABLE,
      erase,
    ),
  ).toBe(
    'candidates erase-many: the command line must have --company, --changed-before or both. Nothing was changed.',
  );
});
