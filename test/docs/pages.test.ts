/** Each page with fences has a story in one of these files. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fencesOf, listFencedPages } from './fences.js';

const HERE = new URL('./', import.meta.url);

test('finds every fence, and refuses unknown kinds', () => {
  const read = (source: string) => fencesOf('docs/made-up.md', source).map(({ line, kind }) => [line, kind]);
  expect(read('# A\n\n```sh\nls\n```\n\n- b\n\n  ~~~~ts\n  // c.ts\n  ~~~~\n')).toEqual([
    [3, 'sh'],
    [9, 'ts'],
  ]);
  for (const kind of ['', 'yaml', 'ts skip', 'console']) {
    expect(() => read(`\`\`\`${kind}\nx\n\`\`\`\n`)).toThrow(
      `docs/made-up.md:1: a fence must be one of ts, js`,
    );
  }
  expect(() => read('- ```sh\n  ls\n  ```\n')).toThrow(
    'docs/made-up.md:1: a fence must begin on a line of its own.',
  );
  expect(() => read('```sh\nls\n')).toThrow('docs/made-up.md:1: this fence does not end.');
});

test('each page with fences has one story', () => {
  const played = readdirSync(HERE)
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(new URL(name, HERE), 'utf8').matchAll(/^tell\('([^']+)'/gm)])
    .map(([, page = '']) => page);
  expect(played.sort()).toEqual([...listFencedPages()].sort());
});
