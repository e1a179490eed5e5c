/** Every page in plain words: rules for all texts that people read, on both storages. */
import { OPERATOR_COMMANDS } from '@partner-hiring/core';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { exampleForms, examplePages } from './browser/example-pages.js';
import { crawl } from './crawl.js';
import { visit } from './platform.js';
import { openSystemPlatform, seedFailing, seedParked, seedWorkers } from './seed.js';

const platform = perTest(openSystemPlatform, ({ close }) => close());

/** Returns what a page says, without data such as the body of an event, ids and addresses. */
function textOf(page: string): string {
  return page
    .replaceAll(/<(pre|textarea|code|option|script|title|head)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<[^>]*>/g, ' ');
}

const COMMANDS = new RegExp(
  String.raw`\b(?:${OPERATOR_COMMANDS.map(({ name }) => name.replace('.', String.raw`\.`)).join('|')})\b`,
);

const RULES: readonly (readonly [string, RegExp])[] = [
  ['a backtick', /`/],
  ['an instant with milliseconds', /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z?/],
  ['milliseconds since 1970', /\b1[5-9]\d{11}\b/],
  ['the name of a command', COMMANDS],
  ['a code without its underscores', /\b[45]\d\d [A-Z]{3,} [A-Z]{2,}/],
  ['a whole id', /\b(?:ej_app|job|co|key|ptn|evt|op|aud)_[a-z0-9]{16,}/],
];

it('no page has backticks, instants with milliseconds, commands, changed codes or whole ids', async () => {
  await seedWorkers(platform);
  await seedParked(platform);
  await seedFailing(platform);
  const { fixture, acme } = platform;
  const { operator } = fixture;
  await operator.as({ id: 'user_9', name: 'Kim' }).access.raiseLimit({
    keyId: acme.keyId,
    companyId: acme.companyId as `co_${string}`,
  });
  await operator.as({ id: 'user_9', name: 'Kim' }).keys.lowerLimits({
    id: acme.keyId,
    perMinute: { list_jobs: 6 },
    reason: 'Reads all jobs each second',
    forMs: 3_600_000,
  });
  await operator.as({ id: 'user_9', name: 'Kim' }).jobs.close({ id: acme.jobId as `job_${string}` });
  const visitor = visit(fixture);
  const pages = new Map(await crawl(visitor.get));
  for (const path of await examplePages(platform)) {
    pages.set(path, (await visitor.get(`/console${path}`)).text);
  }
  for (const [path, fields] of await exampleForms(platform)) {
    pages.set(`POST ${path} ${JSON.stringify(fields)}`, (await visitor.post(`/console${path}`, fields)).text);
  }
  expect(pages.size).toBeGreaterThan(60);
  const found = [...pages].flatMap(([path, page]) => {
    const text = textOf(page);
    return RULES.flatMap(([rule, pattern]) => {
      const [match] = pattern.exec(text) ?? [];
      return match === undefined ? [] : [`${path} has ${rule}: ${match}`];
    });
  });
  expect(found).toEqual([]);
});
