/** One word for one thing, in everything that people read: sources, tests, docs and served pages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesInGit, ROOT } from './sources.js';

/** Texts on the wire stay as they are. */
const OF_THE_WIRE = [
  'docs/openapi.json',
  'packages/core/src/features/self-service/refusals.ts',
  'packages/core/src/features/self-service/wire-schemas.ts',
  'packages/client/src/wire.ts',
  'packages/partner-docs/src/openapi/webhook-endpoint.ts',
];

const EXCEPTED = new Set([
  'test/architecture/words.test.ts',
  'CHANGELOG.md',
  'package-lock.json',
  ...OF_THE_WIRE,
]);

const FILES = filesInGit('*.ts', '*.tsx', '*.mjs', '*.md', '*.sql', '*.json', '*.txt', '*.sh')
  .filter((file) => !EXCEPTED.has(file) && !file.endsWith('package-lock.json'))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

/** Returns the places of a word, such as `docs/worker.md: operator redelivers`. */
function placesOf(
  pattern: RegExp,
  files: readonly { readonly file: string; readonly text: string }[] = FILES,
) {
  return files.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([found]) => `${file}: ${found}`));
}

/** Also within names, such as `mayRedeliver`, but not in `prepareDeliveries`. */
const REDELIVER = /(?:(?<![A-Za-z])r|R|(?<=_)r)e-?deliver\w*|REDELIVER\w*|\bre-send\w*/g;

/** Sending events again. To send a request, a form or an alert again is something else. */
const SEND_AGAIN =
  /\bsen[dt](?:s|ing)? (?:(?:this|that|these|those|the|all|an|one|every|\d+) )?(?:events?|deliver(?:y|ies)|dead letters?|news)(?: (?:since|of) an? \w+)? again\b|\b(?:events?|deliver(?:y|ies)|dead letters?)(?: (?:is|are|was|were|will be|being|that))* sent again\b/gi;

describe('an event that was sent before is resent', () => {
  it('names it so in every file', () => {
    expect(FILES.length).toBeGreaterThan(2_000);
    expect(placesOf(REDELIVER)).toEqual([]);
    expect(placesOf(SEND_AGAIN)).toEqual([]);
  });

  it.each([
    ['redelivers', 1],
    ['mayRedeliver, redeliver_all and REDELIVERY', 3],
    ['prepareDeliveries and sampleDelivery', 0],
    ['send the events again', 1],
    ['Events are sent again.', 1],
    ['Send the same request again.', 0],
  ])('notices the other words: %s', (text, count) => {
    const files = [{ file: 'a.md', text }];
    expect([...placesOf(REDELIVER, files), ...placesOf(SEND_AGAIN, files)]).toHaveLength(count);
  });
});

it('the words of other systems stand once, beside ours, in the architecture page', () => {
  const pages = FILES.filter(({ file }) => /^(?:docs|packages|examples)\/.*\.md$/.test(file));
  expect(pages.length).toBeGreaterThan(60);
  // A time zone has an offset, too.
  const zones = [
    'docs/api-changelog.md',
    'docs/contract.md',
    'docs/decisions/02-requests-and-errors.md',
    'docs/sync.md',
  ];
  const ours = pages.filter(({ file }) => !zones.includes(file));
  expect(placesOf(/\b(?:shard|offset|outbox)(?:s|ed|ing|es)?\b/gi, ours)).toEqual([
    'docs/architecture.md: outbox',
    'docs/architecture.md: offset',
    'docs/architecture.md: shard',
  ]);
});

it.each([
  ['an act', 'a command that the audit recorded', /\bmanyAct\b|\bkind(?: ===|:) 'act'/g],
  [
    'a backlog',
    'the events that an endpoint has not got',
    /\b\w*(?:Inbox|System)Backlog\w*|\bpartner['’]s backlog\b/g,
  ],
  ['an endpoint', 'a receiver of webhooks, and the API has routes', /\b(?:API|four|list) endpoints?\b/g],
  ['what is named own', 'of the partner that asks', /\b(?:is)?[oO]wn(?:Id|Limits?|Post|Transactions?|Tx)\b/g],
])('%s is %s', (_, __, others) => {
  expect(placesOf(others)).toEqual([]);
});

it('an error about the environment of a key or company names it', () => {
  expect(placesOf(/\bWORLD_\w+/g)).toEqual([]);
});
