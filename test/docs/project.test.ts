/** Plays the pages about the project, in a clone. */
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { PartnerHiring } from '@partner-hiring/core';
import type { Database } from 'better-sqlite3';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished, vi } from 'vitest';
import { readArguments } from '../bench/arguments.js';
import { exported } from './exported.js';
import { fencesOf, ROOT } from './fences.js';
import { apply, letIn } from './host.js';
import { expectShown } from './shown.js';
import { tell } from './tell.js';
import { playUntilSignal } from './until-signal.js';

const READY = 'Stop with Ctrl-C.';

tell('README.md', async (open) => {
  const page = open({
    filling: { 'port: 3000': 'port: 0' },
    env: { PARTNER_HIRING_SEALING_KEY: '', WEBHOOK_URL: '', PORT: '0', RECEIVER_PORT: '0' },
  });
  await page.shell.run(`DATABASE_FILE=${join(page.folder, 'example.sqlite')}`);
  const [starts = '', tests = '', ...more] = page.next('sh').text.trim().split('\n');
  expect(more).toEqual([]);
  const printed = await page.shell.start(starts, READY);
  await page.shell.run(tests);

  const paste = printed().slice(
    printed().indexOf('  API='),
    printed().indexOf('The last one goes to the sandbox'),
  );
  // Interactive zsh takes no comments.
  expect(printed()).not.toMatch(/^\s*#/m);
  const replies = await page.shell.run(paste);
  expect(replies).toContain('"id":"job_pinewood_nurse"');
  expect(replies).not.toContain('job_bluebird_barista');
  expect(replies).toMatch(/"status":"received","createdAt"/);
  expect(replies).toMatch(/"currentStage":"Initial Outreach"/);
  expect(replies).not.toContain('"error"');
  expect(replies).toMatch(/\}\n$/);
  const [id = ''] = /ej_app_\w+/.exec(replies) ?? [];
  const told = await page.run({ 'ej_app_…': id });
  expect(told).toContain(id);
  expect(told).toContain('accepted');
  await expect.poll(() => printed()).toContain('went from in_progress to accepted');
  expectShown(page.next('text'), printed());
  await page.run();

  await page.run();
  vi.stubEnv(
    'PARTNER_HIRING_SEALING_KEY',
    (await page.shell.run('echo "$PARTNER_HIRING_SEALING_KEY"')).trim(),
  );
  const { exports: program, stop } = await playUntilSignal(page.play);
  onTestFinished(stop);
  const partnerHiring = exported<PartnerHiring<Database>>(program, 'partnerHiring');
  const app = exported<FastifyInstance>(program, 'app');
  const { secret } = await letIn(partnerHiring);
  const { port } = app.server.address() as AddressInfo;
  expect(await apply(`http://127.0.0.1:${port}/api/v1/external`, secret)).toMatch(/^ej_app_/);
  await stop();
  expect(app.server.listening).toBe(false);
  await expect(partnerHiring.operator.keys.list()).rejects.toThrow();
  await page.run();
});

tell('CONTRIBUTING.md', async (open) => {
  const page = open();
  await page.run();
});

tell('docs/architecture.md', async (open) => {
  const page = open();
  // The tree: each folder is there, below the one that it is indented under.
  const above: string[] = [];
  const tree = [...page.next('text').text.matchAll(/^( *)([\w-]+)\/ *(.*)$/gm)];
  for (const [, indent = '', name = ''] of tree) {
    above.splice(indent.length / 2, above.length, name);
    expect([above.join('/'), existsSync(join(ROOT, ...above))]).toEqual([above.join('/'), true]);
  }
  expect(tree.length).toBeGreaterThan(15);

  // The layers: each is a folder of core, and so is what stands on top.
  const layers = page.next('text').text.match(/[\w-]+(?:\/|\.ts)/g) ?? [];
  expect(layers.length).toBeGreaterThan(6);
  for (const layer of layers) {
    expect([layer, existsSync(join(ROOT, 'packages/core/src', layer))]).toEqual([layer, true]);
  }

  // Each source that the page names exists in core, or in a package.
  const sources = [...readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8').matchAll(/`([\w/-]+\.ts)`/g)];
  expect(sources.length).toBeGreaterThan(20);
  for (const [, source = ''] of sources) {
    const exists = ['packages/core/src', 'packages'].some((folder) => existsSync(join(ROOT, folder, source)));
    expect([source, exists]).toEqual([source, true]);
  }
});

/** The suites of the benchmarks. The page may not name others. */
const SUITES = [
  ...readFileSync(`${ROOT}test/bench/main.ts`, 'utf8').matchAll(/^ {2}'?([\w-]+)'?: bench\w+,$/gm),
].map(([, name = '']) => name);

tell('docs/benchmarks.md', async (open) => {
  const page = open();
  for (const _ of fencesOf('docs/benchmarks.md')) {
    const fence = page.next('sh');
    await page.shell.run(fence.text);
    for (const [, args = ''] of fence.text.matchAll(/^npm run bench(?: --)?([^#\n]*)/gm)) {
      expect(readArguments(args.split(' ').filter(Boolean), SUITES)).toMatchObject({ kind: 'run' });
    }
  }
});
