/** Plays the pages for those who operate a host. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { metrics, trace } from '@opentelemetry/api';
import type { MeterProvider } from '@opentelemetry/sdk-metrics';
import type { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import {
  type ApplicationId,
  createSecretBox,
  type EventId,
  type JobId,
  type KeyId,
  type Logger,
  type SecretBox,
  type Telemetry,
} from '@partner-hiring/core';
import Sqlite, { type Database } from 'better-sqlite3';
import { register } from 'prom-client';
import { expect, onTestFinished, vi } from 'vitest';
import { exported, partnerHiringOf } from './exported.js';
import { apply, expectServed, KEY, KEY_ON_THIS_MACHINE, letIn, PATH, startGone } from './host.js';
import { tell } from './tell.js';

type Resend = (keyId: KeyId, eventIds: readonly EventId[], since: number) => Promise<void>;

tell('docs/operations.md', async (open) => {
  const page = open({ filling: { "state: 'dead'": "state: 'pending'" }, env: KEY_ON_THIS_MACHINE });
  const partnerHiring = await partnerHiringOf(page);
  const { key } = await letIn(partnerHiring, await startGone(500));
  await partnerHiring.worker.drain();

  await page.play();
  expect(page.printed()).toMatch(/scheduled: 1,/);
  expect(page.printed()).toMatch(/state: 'pending'/);

  await page.play();
  expect(page.printed()).toMatch(/sqlite 3\.\d+\.\d+ \d+ 0 /);
  expect(page.printed()).toMatch(/Z 0 1 \[\]/);

  const [event] = (await partnerHiring.operator.deliveries.list({ keyId: key.id })).items;
  const eventId = event?.eventId as EventId;
  const again = await page.play();
  const resumeIfBack = exported<(keyId: KeyId) => Promise<boolean>>(again, 'resumeIfBack');
  expect(await resumeIfBack(key.id)).toBe(false);
  await exported<(keyId: KeyId, eventId: EventId) => Promise<void>>(again, 'giveUp')(key.id, eventId);
  const stateOf = async () =>
    (await partnerHiring.operator.deliveries.find({ keyId: key.id, eventId }))?.delivery.state;
  expect(await stateOf()).toBe('cancelled');
  const resend = exported<Resend>(again, 'resend');
  await resend(key.id, [eventId], 0);
  expect(await stateOf()).toBe('pending');
  const sendAfterOutage = exported<(keyId: KeyId) => Promise<number>>(again, 'sendAfterOutage');
  expect(await sendAfterOutage(key.id)).toBe(0);
  await partnerHiring.worker.drain();
  expect(await sendAfterOutage(key.id)).toBe(1);

  type RejectAll = (jobId: JobId, confirm: (count: number) => boolean) => Promise<number>;
  const rejectAll = exported<RejectAll>(await page.play(), 'rejectAll');
  const counted: number[] = [];
  const { items: jobs } = await partnerHiring.operator.jobs.list();
  for (const { id } of jobs) await rejectAll(id, (count) => counted.push(count) < 0);
  expect(counted).toEqual(jobs.map(() => 0));
});

tell('docs/observe.md', async (open) => {
  const dumped: unknown[] = [];
  vi.spyOn(console, 'dir').mockImplementation((said: unknown) => void dumped.push(said));
  const page = open({ env: KEY });
  const telemetry = await page.play();
  const meters = exported<MeterProvider>(telemetry, 'meters');
  const tracers = exported<BasicTracerProvider>(telemetry, 'tracers');
  onTestFinished(async () => {
    metrics.disable();
    trace.disable();
    await meters.shutdown();
    await tracers.shutdown();
  });
  const prometheus = exported<Telemetry>(await page.play(), 'telemetry');
  prometheus.counter({ name: 'hired', unit: '{hire}', description: 'Hires.' })(1, {});
  expect(await register.metrics()).toContain('\nhired_total 1\n');

  const partnerHiring = await partnerHiringOf(page);
  const { secret } = await letIn(partnerHiring);
  await expectServed('http://localhost', secret, partnerHiring.fetch);
  await meters.forceFlush();
  await tracers.forceFlush();
  expect(dumped).toContainEqual(
    expect.objectContaining({
      descriptor: expect.objectContaining({ name: 'http.server.request.duration' }),
    }),
  );
  expect(dumped).toContainEqual(expect.objectContaining({ name: `GET ${PATH}/jobs` }));

  // A scenario of the worker runs the alarms.
  expect(page.next('text').text).toContain('partner_hiring_delivery_due_age_seconds');
  expect(page.next('text').text).toContain('partner_hiring_endpoint_pauses_total');

  const logger = exported<Logger>(await page.play(), 'logger');
  logger.warn({ keyId: 'key_1' }, 'It was paused.');
  expect(page.printed()).toContain('{"level":"warn","message":"It was paused.","keyId":"key_1"}');
});

tell('docs/retention-and-backup.md', async (open) => {
  const page = open({ env: KEY });
  const partnerHiring = await partnerHiringOf(page);
  const { secret } = await letIn(partnerHiring);
  const resumeUrl = 'https://files.invalid/ada.pdf';
  await apply(`http://localhost${PATH}`, secret, { resumeUrl, send: partnerHiring.fetch });

  const read = (file: string) => {
    const database = new Sqlite(join(page.folder, file));
    try {
      return JSON.stringify(ofCandidates(database));
    } finally {
      database.close();
    }
  };
  expect(read('partner-hiring.sqlite')).toMatch(/Reyes.*ada\.pdf/);
  await page.play();
  expect(read('backup.sqlite')).toBe(read('partner-hiring.sqlite'));
  const modes = ['backup.sqlite', 'partner-hiring.sqlite'].map(
    (file) => statSync(join(page.folder, file)).mode,
  );
  expect(modes.map((mode) => mode & 0o777)).toEqual([0o600, 0o600]);
});

tell('docs/secrets.md', async (open) => {
  const page = open({ env: { ...KEY, PARTNER_HIRING_DATABASE: 'partner-hiring.sqlite' } });
  const partnerHiring = await partnerHiringOf(page);
  await letIn(partnerHiring, 'https://ats.example.org/webhooks');
  const printed = await page.run();
  expect(printed).toMatch(/^0 signing secrets are sealed with the key \w{8}, 1 with the key \w{8}\.$/m);
  expect(printed).toMatch(/^Sealed anew: 1 secret\. Left under other keys: 0\.$/m);

  const box = exported<SecretBox>(await page.play(), 'secretBox');
  const context = { purpose: 'webhook_signing_secret', keyId: 'key_1' } as const;
  const old = createSecretBox(KEY.PARTNER_HIRING_SEALING_KEY).seal('whsec_old', context);
  expect(await box.open(old, context)).toBe('whsec_old');
  const sealed = await box.seal('whsec_new', context);
  expect(await box.open(sealed, context)).toBe('whsec_new');
  expect([box.keyIdOf?.(sealed), box.keyIdOf?.(old)]).toEqual(box.keyIds);
});

tell('docs/personal-data.md', async (open) => {
  const page = open({ env: KEY });
  const partnerHiring = await partnerHiringOf(page);
  const { secret } = await letIn(partnerHiring);
  const submitted = await apply(`http://localhost${PATH}`, secret, { send: partnerHiring.fetch });
  const { exportPerson, erasePerson } = (await page.play()) as unknown as Readonly<
    Record<'exportPerson' | 'erasePerson', (email: string) => Promise<string>>
  >;
  const found = await partnerHiring.operator.applications.find({ id: submitted as ApplicationId });
  const email = found?.candidate.email ?? '';
  const { showCandidate, whoSaw } = (await page.play()) as unknown as {
    readonly showCandidate: (userId: string, reason: string, id: string) => Promise<string>;
    readonly whoSaw: (id: string) => Promise<readonly string[]>;
  };
  expect(await whoSaw(submitted)).toEqual([]);
  expect(await showCandidate('user_42', 'ticket 815', submitted)).toContain(`"email": "${email}"`);
  expect(await whoSaw(submitted)).toEqual(['user_42']);
  expect(await exportPerson(email.toUpperCase())).toContain(`"email": "${email}"`);
  expect(JSON.parse(await erasePerson(email))).toMatchObject({ applications: [{ id: submitted }] });
  expect(JSON.parse(await exportPerson(email))).toMatchObject({ applications: [] });
});

/** Returns all rows that may contain candidates' data. */
function ofCandidates(database: Database): unknown {
  const rows = (table: string) => database.prepare(`select * from ${table}`).all();
  return [rows('ph_application'), rows('ph_resume_task'), rows('ph_event')];
}
