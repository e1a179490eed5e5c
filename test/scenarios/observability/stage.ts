import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { Clock, ResumeDownload, ResumeScanResult } from '@partner-hiring/core';
import { STORY_START } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  type Reply,
} from '@partner-hiring/test-support/partner';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import {
  createRecordingLogger,
  type LogLine,
  registerTelemetry,
  type TelemetryUnderTest,
} from '@partner-hiring/test-support/telemetry';
import { expect } from 'vitest';
import { dump } from '../personal-data/stage.js';
import { PRIVATE, SEALING_KEY, WEBHOOK_URL } from './private.js';
import { type Faults, withFaults } from './with-faults.js';

/** A platform that records everything an operator can see. */
export interface Stage {
  readonly telemetry: TelemetryUnderTest;
  readonly fixture: Fixture;
  readonly logger: ReturnType<typeof createRecordingLogger>;
  readonly partner: Partner;
  readonly jobId: `job_${string}`;
  readonly faults: Faults;
  /** The replies, as the metric counts them. */
  readonly replies: readonly string[];
  /** Records a reply. */
  noted(method: string, route: string | null, reply: Pick<Reply, 'status' | 'json'>): Reply['json'];
  /** Sets how résumé downloads end. */
  downloadWith(download: (url: string) => ResumeDownload | Promise<ResumeDownload>): void;
  /** Sets the result of the host's scanner, `clean` by default. */
  scanWith(scan: () => ResumeScanResult): void;
  /** The values of a metric by one attribute. */
  by(metric: string, attribute: string): Promise<Readonly<Record<string, number>>>;
  /** The log lines with this prefix. */
  lines(message: string): readonly LogLine[];
  spansOf(name: string): readonly ReadableSpan[];
  /** Every row of every table, as text. */
  stored(): Promise<string>;
  /** Everything visible, at least this many characters. */
  expectNothingPrivate(atLeast?: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens a stage with a partner, a job with a question, and a webhook. */
export async function openStage(): Promise<Stage> {
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
    replies,
    noted(method, route, { status, json }) {
      replies.push([method, route, status, json.error].join(' '));
      return json;
    },
    downloadWith(next) {
      download = next;
    },
    scanWith(next) {
      scan = next;
    },
    by: async (metric, attribute) =>
      Object.fromEntries(
        (await telemetry.series(metric)).map(({ attributes, value }) => [
          String(attributes[attribute]),
          value,
        ]),
      ),
    lines: (message) => logger.lines.filter((line) => line.message.startsWith(message)),
    spansOf: (name) => telemetry.spans().filter((span) => span.name === name),
    async stored() {
      const host = await database.host();
      const rows = await dump(host);
      await host.close();
      return rows;
    },
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
