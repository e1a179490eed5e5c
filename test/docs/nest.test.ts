/** Plays the pages for hosts on Nest. */
import type { INestApplication } from '@nestjs/common';
import type { Operator } from '@partner-hiring/core';
import { PARTNER_HIRING, PARTNER_HIRING_OPERATOR } from '@partner-hiring/nest';
import type { Database } from 'better-sqlite3';
import { expect, onTestFinished, vi } from 'vitest';
import { exported } from './exported.js';
import { apply, letIn } from './host.js';
import { type Exports, type OpenPage, type Page, tell } from './tell.js';
import { playUntilSignal } from './until-signal.js';

/** Without the log lines of Nest. */
const QUIET = { 'create(AppModule)': 'create(AppModule, { logger: false })' };

/** Runs a page's installation, and sets the key that it creates. */
async function install(open: OpenPage): Promise<Page> {
  const page = open({ filling: { 'listen(3000)': "listen(0, '127.0.0.1')", ...QUIET } });
  await page.run();
  vi.stubEnv(
    'PARTNER_HIRING_SEALING_KEY',
    (await page.shell.run('echo "$PARTNER_HIRING_SEALING_KEY"')).trim(),
  );
  return page;
}

interface Served {
  readonly app: INestApplication;
  readonly origin: string;
  readonly operator: Operator<Database>;
  /** Lets a partner in, and submits an application. */
  submit(): ReturnType<typeof apply>;
}

/** Returns the application that a program started. It is closed after the test. */
async function served(program: Exports): Promise<Served> {
  const app = exported<INestApplication>(program, 'app');
  onTestFinished(() => app.close());
  const origin = await app.getUrl();
  const submit = async () =>
    apply(`${origin}/api/v1/external`, (await letIn(app.get(PARTNER_HIRING))).secret);
  return { app, origin, operator: app.get(PARTNER_HIRING_OPERATOR), submit };
}

tell('docs/nest.md', async (open) => {
  const page = await install(open);
  const { AppModule } = await page.play();
  expect(AppModule).toBeTypeOf('function');

  const { exports: program, stop } = await playUntilSignal(page.play);
  const first = await served(program);
  const id = await first.submit();
  await first.operator.applications.move({ id });
  const { Hiring } = await page.play();
  await first.app.get<{ hire(id: string): Promise<void> }>(Hiring as never).hire(id);
  expect(await first.operator.applications.find({ id })).toMatchObject({ status: 'accepted' });

  await page.play();
  const health = await fetch(`${first.origin}/health`);
  expect([health.status, await health.json()]).toEqual([200, { partner_hiring: { status: 'up' } }]);
  await stop();
  await expect(first.operator.keys.list()).rejects.toThrow();
});
