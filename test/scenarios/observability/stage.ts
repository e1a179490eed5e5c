import type { Clock, ResumeDownload, ResumeScanResult } from '@partner-hiring/core';
import { STORY_START } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, type Reply } from '@partner-hiring/test-support/partner';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { createRecordingLogger, registerTelemetry } from '@partner-hiring/test-support/telemetry';
import { expect } from 'vitest';
import { dump } from '../personal-data/stage.js';
import { PRIVATE, SEALING_KEY, WEBHOOK_URL } from './private.js';
import { type Faults, withFaults } from './with-faults.js';

/** A platform that records everything an operator can see. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Opens a stage with a partner, a job with a question, and a webhook. */
export async function openStage() {
  const telemetry = registerTelemetry();
  const logger = createRecordingLogger();
  const database = await createTestDatabase();
  const faults: Faults = { failWith: null, contend: false };
  const replies: string[] = [];
  let download: (url: string) => ResumeDownload | Promise<ResumeDownload> = () => ({
    kind: 'failed',
    reason: 'bad_status',
    retryable: false,
  });
  let scan: () => ResumeScanResult = () => ({ kind: 'clean' });
  let fixture: Fixture | undefined;
  const storyClock: Pick<Clock, 'now'> = { now: () => fixture?.clock.now() ?? STORY_START };
  const storage = withFaults(await database.open(storyClock), faults);
  const opened = await createFixture({
    storage,
    logger,
    secretKey: SEALING_KEY,
    resumeSource: { fetch: async (url) => download(url), close: async () => {} },
    resumeScanner: { scan: async () => scan() },
  });
  fixture = opened;
  const partner = await createPartner(opened);
  const { jobId } = await createEmployer(opened, partner);
  const pets = { key: 'pets', label: 'Pets?', type: 'text', required: false };
  await opened.operator.jobs.update({ id: jobId, changes: { applicationFormSchema: [pets] } });
  await opened.partnerHiring.worker.drain();
  await opened.operator.endpoints.setUrl({ keyId: partner.keyId, url: WEBHOOK_URL });

  /** The secrets of the story, and everything sent with them. */
  function secrets(): readonly string[] {
    const signatures = opened.transport.attempts.flatMap(({ headers }) =>
      String(headers['X-Partner-Signature']).match(/[0-9a-f]{64}/g),
    );
    return [...PRIVATE, partner.secret, partner.signingSecret ?? '', ...signatures.map(String)];
  }

  return {
    telemetry,
    fixture: opened,
    logger,
    partner,
    jobId,
    faults,
    /** The replies, as the metric counts them. */
    replies,
    /** Records a reply. */
    noted(method: string, route: string | null, { status, json }: Pick<Reply, 'status' | 'json'>) {
      replies.push([method, route, status, json.error].join(' '));
      return json;
    },
    /** Sets how résumé downloads end. */
    downloadWith(next: (url: string) => ResumeDownload | Promise<ResumeDownload>) {
      download = next;
    },
    /** Sets the result of the host's scanner, `clean` by default. */
    scanWith(next: () => ResumeScanResult) {
      scan = next;
    },
    /** The values of a metric by one attribute. */
    by: async (metric: string, attribute: string) =>
      Object.fromEntries(
        (await telemetry.series(metric)).map(({ attributes, value }) => [
          String(attributes[attribute]),
          value,
        ]),
      ),
    /** The log lines with this prefix. */
    lines: (message: string) => logger.lines.filter((line) => line.message.startsWith(message)),
    spansOf: (name: string) => telemetry.spans().filter((span) => span.name === name),
    /** Every row of every table, as text. */
    async stored() {
      const host = await database.host();
      const rows = await dump(host);
      await host.close();
      return rows;
    },
    /** Everything visible, at least this many characters. */
    async expectNothingPrivate(atLeast = 10_000) {
      const seen = logger.text() + (await telemetry.everything());
      expect(seen.length).toBeGreaterThan(atLeast);
      expect(secrets().filter((secret) => secret === '' || seen.includes(secret))).toEqual([]);
    },
    async close() {
      await opened.close();
      await database.remove();
      await telemetry.close();
    },
  };
}
