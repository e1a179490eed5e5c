/** The `@example` blocks of doc comments. */
import { expect, test } from 'vitest';
import { INPUTS } from '../scenarios/operator/every-command.js';
import { compile } from './compile.js';
import { examplesIn, listExamples } from './examples.js';
import { EXAMPLE_OPTIONS, needsOrm, writeExamples } from './write-examples.js';

const COMPILER_MS = 120_000;

/** An example that does not compile. No source has one in this line. */
const BROKEN =
  '/**\n * Adds.\n *\n * @example\n * operator.partners.create({ nane: 1 });\n * @returns a partner\n */';

test('the examples of doc comments compile, and one that does not is reported', {
  timeout: COMPILER_MS,
}, () => {
  const broken = examplesIn('packages/core/src/errors.ts', BROKEN);
  expect(broken).toMatchObject([{ line: 4, text: 'operator.partners.create({ nane: 1 });\n' }]);
  const examples = listExamples().filter((example) => !needsOrm(example));
  expect(examples.length).toBeGreaterThan(40);

  const { problems } = compile((folder) => writeExamples(folder, [...examples, ...broken]), EXAMPLE_OPTIONS);
  const [problem, ...others] = problems.trim().split(/\n(?=\S)/);
  expect(others).toEqual([]);
  expect(problem).toMatch(/packages\+core\+src\+errors\.ts\/line-4\.ts.*'nane'/);
});

test('an example has at most 14 lines', () => {
  const long = listExamples().filter(({ text }) => text.trim().split('\n').length > 14);
  expect(long.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
});

test('every operator command has an example', () => {
  const texts = listExamples().map(({ text }) => text);
  const commands = Object.keys(INPUTS);
  expect(commands.length).toBeGreaterThan(40);
  const missing = commands.filter((name) => !texts.some((text) => text.includes(`operator.${name}(`)));
  expect(missing).toEqual([]);
});
