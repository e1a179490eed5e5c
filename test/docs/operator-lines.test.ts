/** Parses the pages' calls of the example's operator command. */
import { expect, test } from 'vitest';
import { ALL_COMMANDS } from '../../examples/server/operator/all-commands.js';
import { parseCommand } from '../../examples/server/operator/parse-command.js';
import { listPages, readPage } from './fences.js';

const LINE = /npm run (?:--silent )?operator -- ([^`\n#]+)/g;

const LINES = listPages().flatMap((page) =>
  [...readPage(page).matchAll(LINE)].map(([, words = '']) => ({ page, words: words.trim() })),
);

test('pages call the operator command', () => {
  expect(LINES.length).toBeGreaterThan(5);
});

test.each(LINES)('$page: "$words" is a command', ({ words }) => {
  expect(() => parseCommand(ALL_COMMANDS, words.split(/\s+/))).not.toThrow();
});
