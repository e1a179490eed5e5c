/** The `@example` blocks of the adapters for ORMs. */
import { expect, test } from 'vitest';
import { compile } from '../../../docs/compile.js';
import { listExamples } from '../../../docs/examples.js';
import { EXAMPLE_OPTIONS, needsOrm, writeExamples } from '../../../docs/write-examples.js';
import { LIBRARIES } from './libraries.js';

test('the examples of the adapters for ORMs compile', { timeout: 120_000 }, () => {
  const examples = listExamples().filter(needsOrm);
  expect(examples.length).toBeGreaterThan(5);
  const fill = (folder: string) => writeExamples(folder, examples, LIBRARIES);
  expect(compile(fill, EXAMPLE_OPTIONS)).toEqual({ count: examples.length + 1, problems: '' });
});
