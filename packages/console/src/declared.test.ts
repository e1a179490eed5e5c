import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { NOTICES_OF_FEATURES } from './features/features.js';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const SOURCES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /^(?:features|screens)\/.*(?<!\.test)\.tsx?$/.test(file),
);

function textOf(file: string): string {
  return readFileSync(join(FOLDER, file), 'utf8');
}

test.each([
  ['<Pager', 'defineList', 'screens/parts/define-list.tsx'],
  ['<PostedPager', 'defineList', 'screens/parts/define-list.tsx'],
  ['confirmationPage(', 'defineAct', 'screens/parts/define-act.ts'],
])('no screen writes %s by hand: it uses %s', (text, _, only) => {
  const found = SOURCES.filter((file) => textOf(file).includes(text));
  expect(found).toEqual([only]);
});

test('each definition of notices is in the list of features, and no two have a name in common', () => {
  const defining = SOURCES.filter((file) => /^export const \w+ = defineNotices\(/m.test(textOf(file)));
  const using = SOURCES.filter((file) => textOf(file).includes('defineNotices('));
  expect(using).toEqual(defining);
  expect(NOTICES_OF_FEATURES).toHaveLength(defining.length);
  const names = NOTICES_OF_FEATURES.flatMap(({ done, refused }) => Object.keys({ ...done, ...refused }));
  const ofBase = textOf('http/notices.ts');
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names.filter((name) => ofBase.includes(`'${name}':`))).toEqual([]);
});
