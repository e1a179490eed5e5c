import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tell } from './tell.js';

const EXAMPLE = new URL('../../examples/existing-platform/', import.meta.url);
/** The host's own code, which the page names. */
const PLATFORM = ['platform.ts', 'staff.ts', 'app.ts'];
/** What a host adds to its platform. The others are the platform, and rows to begin with. */
const GLUE = ['jobs.ts', 'partner-hiring.ts', 'server.ts'];
/** What a host adds to its tests. */
const TEST = 'hiring.test.ts';
const MAX_LINES = 125;

const textOf = (file: string) => readFileSync(new URL(file, EXAMPLE), 'utf8');

// `test/outside/express-drizzle.test.ts` builds and runs the example.
tell('docs/from-an-existing-platform.md', async (open) => {
  const page = open({});
  page.next('sh');
  for (const file of [...GLUE, TEST])
    expect(page.next('ts').text.trimEnd()).toBe(`// ${file}\n${textOf(file)}`.trimEnd());
  page.next('sh'); // test it
  page.next('sh'); // let a partner in
});

test('the glue of the example has about 120 lines', () => {
  const lines = GLUE.flatMap((file) => textOf(file).trimEnd().split('\n'));
  expect(lines.length).toBeLessThanOrEqual(MAX_LINES);
  const others = [...PLATFORM, 'seed.ts', TEST];
  expect(
    readdirSync(EXAMPLE)
      .filter((file) => file.endsWith('.ts'))
      .sort(),
  ).toEqual([...GLUE, ...others].sort());
});
