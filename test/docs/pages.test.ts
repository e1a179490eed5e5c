/** Every page that has fences has a story, in one of these files, that plays them. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fencesOf, listPages } from './fences.js';

/** Told where the package's own tests are: on what it publishes, built. */
const ELSEWHERE = ['packages/webhook-verifier/README.md'];

const HERE = new URL('./', import.meta.url);

test('each page with fences is told once', () => {
  const told = readdirSync(HERE)
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(new URL(name, HERE), 'utf8').matchAll(/^tell\('([^']+)'/gm)])
    .map(([, page = '']) => page);
  const fenced = listPages().filter((page) => fencesOf(page).length > 0 && !ELSEWHERE.includes(page));
  expect(told.sort()).toEqual([...fenced].sort());
});
