/** The title of a test is a sentence in the present tense. It is read behind the titles of its suites. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './sources.js';
import { type Title, titlesOf } from './titles.js';

/** Also suites that other files run. */
const FILES = ['packages', 'test'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !/\/(?:node_modules|dist)\//.test(path))
    .filter((path) => path.endsWith('.test.ts') || path.startsWith('test/conformance/suite/')),
);

/** A row of the table is the whole title. */
const PLACEHOLDER = /^[%$]\w+$/;
const VERB =
  /\b(?:are|be|can|cannot|did|do|get|had|has|have|is|keep|let|may|must|need|was|were|will)\b|\b[a-z]{2,}(?<!ss|us)s\b|n['’]t\b/;
const QUOTED = /`[^`]*`|"[^"]*"/g;

/** Returns why a title is not a sentence, or null. */
function faultOf({ suites, text }: Omit<Title, 'kind'>): string | null {
  if (PLACEHOLDER.test(text)) return null;
  const whole = [...suites, text].join(' ');
  if (whole.split(' ').length < 3) return 'has fewer than three words';
  if (!VERB.test(whole)) return 'has no verb';
  const [label = '', ...rest] = text.replace(QUOTED, 'x').split(': ');
  return rest.length > 0 && !VERB.test(label) ? 'begins with a label' : null;
}

test('each title of a test is a sentence', () => {
  expect(FILES.length).toBeGreaterThan(400);
  const faults = FILES.flatMap((file) =>
    titlesOf(file)
      .filter(({ kind }) => kind === 'test')
      .map((title) => ({ file, title: title.text, fault: faultOf(title) })),
  );
  expect(faults.filter(({ fault }) => fault !== null)).toEqual([]);
});

test.each([
  ['cursor: leads through all rows', 'begins with a label'],
  ['its sandbox', 'has fewer than three words'],
  ['an endpoint paused automatically', 'has no verb'],
  ['lists the newest first: by key', null],
  ['%s', null],
])('of %j the check says: %s', (text, fault) => {
  expect(faultOf({ suites: [], text })).toBe(fault);
});
