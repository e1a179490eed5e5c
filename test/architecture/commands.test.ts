/** Each command of the operator is defined once, and what programs know about it follows from the definition. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND_RIGHTS, OPERATOR_COMMANDS } from '@partner-hiring/core';
import { expect, test } from 'vitest';
import { INPUTS } from '../scenarios/operator/every-command.js';
import { mentions, TEXTS } from '../tools/sizes/counts.js';
import { ROOT } from './sources.js';

const NAMES = OPERATOR_COMMANDS.map(({ name }) => name);

/** More names than this in one file of the packages are a list that should follow from the definitions. */
const NAMES_IN_A_FILE = 25;

test('each group of commands has one set of definitions, which the compiler compares with its interface', () => {
  const sources = TEXTS.filter(({ file }) => file.startsWith('packages/core/src'));
  const sets = sources.flatMap(({ text }) =>
    [...text.matchAll(/^export (?:const|function) \w+(?:\([^)]*\))?: Definitions<(\w+)>/gm)].map(
      ([, group]) => group,
    ),
  );
  expect(sets.length).toBeGreaterThanOrEqual(new Set(NAMES.map((name) => name.split('.')[0])).size);
  expect(new Set(sets).size).toBe(sets.length);
});

test('no source lists the commands again', () => {
  const lists = TEXTS.filter(
    ({ file, text }) =>
      file.startsWith('packages') &&
      !file.endsWith('.test.ts') &&
      NAMES.filter((name) => mentions(text, name)).length > NAMES_IN_A_FILE,
  );
  expect(lists.map(({ file }) => file)).toEqual([]);
});

test('the tests of every command have an input for each', () => {
  expect(Object.keys(INPUTS).toSorted()).toEqual(NAMES.toSorted());
});

test('a summary starts with a verb, and does not end with a full stop', () => {
  const odd = OPERATOR_COMMANDS.filter(({ summary }) => !/^[A-Z][a-z]+s .*[^.]$/.test(summary));
  expect(odd.map(({ name }) => name)).toEqual([]);
});

test('an act says what the actor did, to follow a name, without a full stop', () => {
  const odd = OPERATOR_COMMANDS.filter(
    ({ pastTense }) => pastTense !== null && !/^[a-z]+ .*[^.]$/.test(pastTense),
  );
  expect(odd.map(({ name }) => name)).toEqual([]);
});

test('each optional field that is a text, a number or a choice says what it selects or does', () => {
  const fields = OPERATOR_COMMANDS.flatMap(({ name, fields }) =>
    fields.map((field) => ({ command: name, ...field })),
  );
  const silent = fields.filter(
    ({ kind, isRequired, summary }) =>
      kind !== 'value' && !isRequired && !/^[A-Z0-9].*[^.]$/.test(summary ?? ''),
  );
  expect(silent.map(({ command, name }) => `${command} ${name}`)).toEqual([]);
});

/** What a group is about: `companies` becomes `company`. */
function objectOf(command: string): string {
  const group = command.slice(0, command.lastIndexOf('.'));
  return group.replace(/ies$/, 'y').replace(/s$/, '');
}

test('an id is `id` in the group of its object, and is named after its kind in every other group', () => {
  const odd = OPERATOR_COMMANDS.flatMap(({ name: command, fields }) => {
    const own = objectOf(command);
    return fields.flatMap(({ name, idOf }) => {
      const rule = idOf === null ? name !== `${own}Id` : name === (idOf === own ? 'id' : `${idOf}Id`);
      return rule ? [] : [`${command} ${name}`];
    });
  });
  // A word that says what happens with the operation; the second of two keys; a position in a list of keys, not a key.
  expect(odd).toEqual([
    'jobs.syncs.request applyHeld',
    'totals.listMissing otherKeyId',
    'secrets.reseal after',
  ]);
});

test('each right belongs to a command', () => {
  const inputs = [{}, { sourceApplicationId: '1' }, { lastNamePrefix: 'l' }];
  const needed = OPERATOR_COMMANDS.flatMap(({ guard }) =>
    inputs.flatMap((input) => guard?.rights(input) ?? []),
  );
  expect(new Set(needed)).toEqual(new Set(COMMAND_RIGHTS));
});

test('the API reports name no type of zod', () => {
  const reports = readdirSync(join(ROOT, 'packages')).flatMap((name) => {
    const file = join(ROOT, 'packages', name, 'api-report.md');
    try {
      return [readFileSync(file, 'utf8')];
    } catch {
      return [];
    }
  });
  expect(reports.length).toBeGreaterThan(10);
  expect(reports.filter((text) => /\bzod\b|\bz\.\w|\bZod[A-Z]|\bField<|\bShape\b/.test(text))).toEqual([]);
});
