/** The `@example` blocks of doc comments. */
import { expect, test } from 'vitest';
import { INPUTS } from '../scenarios/operator/every-command.js';
import { compile } from './compile.js';
import { type Example, examplesIn, listExamples } from './examples.js';
import { EXAMPLE_OPTIONS, needsOrm, writeExamples } from './write-examples.js';

const COMPILER_MS = 120_000;

const FOR_EXPRESS = ['packages/express/', 'packages/webhook-verifier/src/express/'];
const isForExpress = ({ file }: Example) => FOR_EXPRESS.some((folder) => file.startsWith(folder));

test('the examples of doc comments compile', { timeout: COMPILER_MS }, () => {
  const examples = listExamples().filter((example) => !isForExpress(example) && !needsOrm(example));
  expect(examples.length).toBeGreaterThan(40);
  const { problems } = compile(
    (folder) => writeExamples(folder, examples, 'FastifyInstance'),
    EXAMPLE_OPTIONS,
  );
  expect(problems).toBe('');
});

test('the examples for Express compile', { timeout: COMPILER_MS }, () => {
  const examples = listExamples().filter(isForExpress);
  const { problems } = compile((folder) => writeExamples(folder, examples, 'Express'), EXAMPLE_OPTIONS);
  expect(problems).toBe('');
});

test('an example that does not compile is reported with its source', { timeout: COMPILER_MS }, () => {
  const source =
    '/**\n * Adds.\n *\n * @example\n * operator.partners.add({ nane: 1 });\n * @returns a partner\n */';
  const file = 'packages/core/src/errors.ts';
  const examples = examplesIn(file, source);
  expect(examples).toEqual([{ file, line: 4, text: 'operator.partners.add({ nane: 1 });\n' }]);
  const { problems } = compile(
    (folder) => writeExamples(folder, examples, 'FastifyInstance'),
    EXAMPLE_OPTIONS,
  );
  expect(problems).toMatch(/packages\+core\+src\+errors\.ts\/line-4\.ts.*'nane'/);
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
