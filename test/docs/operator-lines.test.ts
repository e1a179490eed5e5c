/** Parses the pages' calls of the example's operator command, and of the program `partner-hiring`. */
import { expect, test } from 'vitest';
import { COMMON_OPTIONS } from '../../packages/cli/src/command/global-options.js';
import { parseCommandLine } from '../../packages/cli/src/command/parse-command-line.js';
import { loadCommands, OPERATOR_TABLE } from '../../packages/cli/src/commands/all-commands.js';
import { CONNECTION_OPTIONS } from '../../packages/cli/src/connection/connection-options.js';
import { listPages, readPage } from './fences.js';

const PROGRAMS = [
  {
    name: 'npm run operator --',
    table: OPERATOR_TABLE,
    globals: COMMON_OPTIONS,
    line: /npm run (?:--silent )?operator -- ([^`\n#|]+)/g,
  },
  {
    name: 'partner-hiring',
    table: await loadCommands(),
    globals: CONNECTION_OPTIONS,
    line: /(?:^|`|npx |\()partner-hiring ([^`\n#|)]+)/gm,
  },
] as const;

const LINES = PROGRAMS.flatMap((program) =>
  listPages().flatMap((page) =>
    [...readPage(page).matchAll(program.line)].map(([, words = '']) => ({
      page,
      program,
      words: words.trim(),
    })),
  ),
);

/** Splits a line as a shell does: a quoted text is one word. */
function wordsOf(line: string): readonly string[] {
  return (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll(/^['"]|['"]$/g, ''));
}

test.each(PROGRAMS)('pages call $name', ({ name }) => {
  expect(LINES.filter(({ program }) => program.name === name).length).toBeGreaterThan(4);
});

test.each(LINES)('$page has "$words", which is a command', ({ program, words }) => {
  expect(() => parseCommandLine(program, wordsOf(words))).not.toThrow();
});
