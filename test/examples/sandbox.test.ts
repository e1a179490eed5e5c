/** The sandbox as a partner reads of it; what its commands do is told in test/docs. */
import { SANDBOX_CATALOGUE } from '@partner-hiring/core/contract';
import { sandboxMarkdown, sandboxPage } from '@partner-hiring/partner-docs';
import { describe, expect, test } from 'vitest';
import { runProgram } from './run-program.js';
import { seededDatabase } from './seeded-database.js';

/** Each starts several processes, and more goes on on the machine. */
const CHILDREN_MS = 120_000;
const PAGE = new URL('../../docs/sandbox.md', import.meta.url);

describe('the page of the sandbox', { timeout: CHILDREN_MS }, () => {
  test('in docs is made from the tables that the sandbox goes by', async () => {
    // After a change: npx vitest run test/examples/sandbox.test.ts --update
    await expect(sandboxMarkdown({ selfService: { events: true } })).toMatchFileSnapshot(PAGE.pathname);
  });

  test('names every address, job and error, in both forms', () => {
    const { addresses, jobs, errors } = SANDBOX_CATALOGUE;
    const names = [
      ...addresses.map(({ address }) => address),
      ...jobs.map(({ id }) => id),
      ...errors.map(({ code }) => code),
    ];
    for (const name of names) {
      expect(sandboxPage()).toContain(`<code>${name}`);
      expect(sandboxMarkdown()).toContain(`\`${name}`);
    }
  });

  test('as HTML loads nothing and is well formed', () => {
    // An icon of nothing: else a browser would ask for one.
    const page = sandboxPage()
      .replace('<link rel="icon" href="data:,">', '')
      .replaceAll(/<(style|script)>.*?<\/\1>/gs, '');
    expect(page).not.toMatch(/<script|<link|<img|src=|href=|url\(/);
    const tags = [...page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)].filter(([, , name]) => name !== 'meta');
    const open: string[] = [];
    for (const [, slash, name = ''] of tags) {
      if (slash === '') open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });
});

describe('the operator command', { timeout: CHILDREN_MS }, () => {
  test('lists what is in the sandbox, and gives a key what it lacks', async () => {
    const { env, seeded } = await seededDatabase();
    const operator = (...words: readonly string[]) =>
      runProgram('server/operator.ts', ['sandbox', ...words], env);
    const { stdout } = await operator();
    for (const { address, about } of SANDBOX_CATALOGUE.addresses) {
      expect(stdout).toMatch(new RegExp(`^${address} +${about.slice(0, 20)}`, 'm'));
    }
    expect(stdout).toMatch(/^SERVICE_UNAVAILABLE +503 +Submit/m);
    expect((await operator('prepare', seeded.sandbox.key.id)).stdout).toContain('Unchanged');
    expect((await operator('prepare', seeded.production.key.id)).stderr).toMatch(/^ENVIRONMENT_MISMATCH/);
  });
});
