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

/** Interactive zsh takes `#` for a word, so a pasted comment becomes arguments. */
function commentsIn(text: string): readonly string[] {
  return text.split('\n').filter((line) => /(?:^|\s)#/.test(line.replaceAll(/'[^']*'|"[^"]*"/g, '')));
}

test.each(listFencedPages())('the commands of %s can be pasted into zsh: they have no comments', (page) => {
  const commands = fencesOf(page).filter(({ kind }) => kind === 'sh');
  expect(commands.flatMap(({ text }) => commentsIn(text))).toEqual([]);
});

test('comments in commands are found', () => {
  expect(commentsIn('ls # all\n# here\necho "# no" \'# no\' a#b $#')).toEqual(['ls # all', '# here']);
});

test('each page with fences has one story', () => {
  const played = readdirSync(HERE)
    .map((name) => new URL(name, HERE))
    .filter(({ pathname }) => pathname.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/^tell\(\s*'([^']+)'/gm)])
    .map(([, page = '']) => page);
  expect(played.sort()).toEqual([...listFencedPages()].sort());
});
