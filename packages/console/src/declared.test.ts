import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const SOURCES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /^(?:features|screens)\/.*(?<!\.test)\.tsx?$/.test(file),
);

test.each([
  ['<Pager', 'defineList', 'screens/parts/define-list.tsx'],
  ['<PostedPager', 'defineList', 'screens/parts/define-list.tsx'],
  ['confirmationPage(', 'defineAct', 'screens/parts/define-act.ts'],
])('no screen writes %s by hand: it uses %s', (text, _, only) => {
  const found = SOURCES.filter((file) => readFileSync(join(FOLDER, file), 'utf8').includes(text));
  expect(found).toEqual([only]);
});
