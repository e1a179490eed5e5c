/** The environment variable of the sealing key has one name, so that a key that is set for the server is found by the command line. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SEALING_KEY_VARIABLE } from '../../packages/cli/src/connection/sealing-key.js';
import { ROOT } from './fences.js';

const FILES = execFileSync('git', ['ls-files', 'docs', 'examples', 'packages', 'README.md', 'SECURITY.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter(
    (file) => /\.(?:md|ts|tsx|mjs|js|json|ya?ml|ini)$|Dockerfile$/.test(file) && !/\.test\.tsx?$/.test(file),
  );

/** Ways in which a name of the variable is written: read, exported, or given to a container. */
const NAMES = [
  /(?:secretKey:|createSecretBox\()\s*process\.env\.(\w+)/g,
  /\b(?:process\.)?env\.(\w*(?:SEALING|SECRET|HIRING)_KEY)\b/g,
  /['"`](\w*(?:SEALING|SECRET|HIRING)_KEY)['"`]/g,
  /\bexport (\w*(?:SEALING|SECRET|HIRING)_KEY)=/g,
  /\$\{?(\w*(?:SEALING|SECRET|HIRING)_KEY)\b/g,
  /`(\w*(?:SEALING|SECRET|HIRING)_KEY)`/g,
];

function namesIn(text: string): readonly string[] {
  return NAMES.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name));
}

test('docs, examples and the command line use one name for the variable of the sealing key', () => {
  const found = FILES.flatMap((file) =>
    namesIn(readFileSync(join(ROOT, file), 'utf8')).map((name) => ({ file, name })),
  );
  expect(found.length).toBeGreaterThan(30);
  expect(found.filter(({ name }) => name !== SEALING_KEY_VARIABLE)).toEqual([]);
  for (const folder of [
    'docs/',
    'examples/server/',
    'examples/operations/',
    'packages/core/',
    'packages/cli/',
  ]) {
    expect(
      found.some(({ file }) => file.startsWith(folder)),
      folder,
    ).toBe(true);
  }
});

test.each(['secretKey: process.env.MY_KEY', 'export SECRET_KEY=x', "required(env, 'PARTNER_HIRING_KEY')"])(
  'another name is found: %s',
  (text) => {
    expect(namesIn(text).some((name) => name !== SEALING_KEY_VARIABLE)).toBe(true);
  },
);
