/** What an operator sees of résumés. Secrets, signatures, candidates and URLs must not appear. */
import { trace } from '@opentelemetry/api';
import type { ResumeDownload } from '@partner-hiring/core';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../packages/core/src/domain/time.js';
import { partnersCall } from './partners-call.js';
import { CANDIDATE, RESUME_URL } from './private.js';
import { openStage } from './stage.js';

const stage = perTest(openStage, ({ close }) => close());

const FETCHED: ResumeDownload = {
  kind: 'fetched',
  bytes: new Uint8Array([37]),
  mediaType: 'application/pdf',
  fileName: `${CANDIDATE.lastName}.pdf`,
};

describe('résumés', () => {
  it('are measured by outcome, without their location', async () => {
    const { fixture, downloadWith, by, lines, spansOf, expectNothingPrivate } = stage;
    const outcomes: (() => ResumeDownload)[] = [
      () => ({ kind: 'failed', reason: 'timed_out', retryable: true }),
      () => {
        throw new Error(`GET ${RESUME_URL} failed for ${CANDIDATE.email}`);
      },
      () => FETCHED,
    ];
    downloadWith((url) => {
      trace.getTracer('undici').startSpan(`GET ${url}`).end();
      return (outcomes.shift() ?? (() => ({ kind: 'failed', reason: 'empty', retryable: false }) as const))();
    });
    await partnersCall(stage);
    await fixture.partnerHiring.worker.drain();
    for (let hours = 0; hours < 6; hours += 1) await fixture.pass(HOUR_MS);
    expect(fixture.resumeFiles).toHaveLength(1);
    expect(await by('partner_hiring.resume.fetch.duration', 'partner_hiring.resume.outcome')).toEqual({
      timed_out: 1,
      not_fetched: 1,
      fetched: 1,
    });
    expect(spansOf('partner_hiring.resume.fetch')).toHaveLength(3);
    expect(lines('A résumé could not be fetched')).toHaveLength(1);
    await expectNothingPrivate();
  });

  it('that fail permanently are counted by reason and logged once, with the way to retry', async () => {
    const { fixture, downloadWith, by, lines, expectNothingPrivate } = stage;
    let rounds = 0;
    downloadWith(() => {
      rounds += 1;
      return { kind: 'failed', reason: 'timed_out', retryable: true };
    });
    await partnersCall(stage);
    await fixture.partnerHiring.worker.drain();
    expect(lines('A résumé download failed')).toEqual([]);
    for (let hours = 0; hours < 6; hours += 1) await fixture.pass(HOUR_MS);
    expect(rounds).toBeGreaterThan(1);
    expect(await by('partner_hiring.resume.given_up', 'partner_hiring.resume.outcome')).toEqual({
      timed_out: 1,
    });
    const [application] = (await fixture.operator.applications.list()).items;
    expect(lines('A résumé download failed')).toEqual([
      {
        level: 'warn',
        message: 'A résumé download failed permanently. To retry it, call applications.updateResume.',
        fields: { applicationId: application?.id, reason: 'timed_out' },
      },
    ]);
    await expectNothingPrivate();
  });

  it("that the scanner refuses are counted and logged once, without the scanner's reason", async () => {
    const { fixture, downloadWith, scanWith, by, lines, expectNothingPrivate } = stage;
    downloadWith(() => FETCHED);
    scanWith(() => ({ kind: 'refused', reason: `Trojan in ${CANDIDATE.lastName}.pdf` }));
    await partnersCall(stage);
    await fixture.partnerHiring.worker.drain();
    for (let hours = 0; hours < 6; hours += 1) await fixture.pass(HOUR_MS);
    expect(fixture.resumeFiles).toEqual([]);
    expect(await by('partner_hiring.resume.given_up', 'partner_hiring.resume.outcome')).toEqual({
      refused_by_scanner: 1,
    });
    const [application] = (await fixture.operator.applications.list()).items;
    expect(application?.resume).toMatchObject({ detail: `Trojan in ${CANDIDATE.lastName}.pdf` });
    const fields = { applicationId: application?.id, reason: 'refused_by_scanner' };
    expect(lines('Your scanner refused a résumé.')).toMatchObject([{ level: 'warn', fields }]);
    expect(lines('A résumé download failed')).toEqual([]);
    await expectNothingPrivate();
  });

  it('whose scanner fails are logged on each attempt, without its message', async () => {
    const { fixture, downloadWith, scanWith, by, lines, expectNothingPrivate } = stage;
    downloadWith(() => FETCHED);
    scanWith(() => {
      throw new Error(`${CANDIDATE.lastName}.pdf of ${CANDIDATE.email} could not be opened`);
    });
    await partnersCall(stage);
    await fixture.partnerHiring.worker.drain();
    for (let hours = 0; hours < 6; hours += 1) await fixture.pass(HOUR_MS);
    expect(fixture.resumeFiles).toEqual([]);
    expect(lines('A résumé could not be scanned')).toHaveLength(3);
    expect(await by('partner_hiring.resume.given_up', 'partner_hiring.resume.outcome')).toEqual({
      not_scanned: 1,
    });
    await expectNothingPrivate();
  });

  it('that wait for their removal are counted, with the time since the erasure', async () => {
    const { fixture, telemetry, downloadWith, expectNothingPrivate } = stage;
    const gauges = async () =>
      Promise.all(
        ['partner_hiring.resume.removals', 'partner_hiring.resume.removals.age'].map(
          async (name) => (await telemetry.series(name))[0]?.value,
        ),
      );
    downloadWith(() => FETCHED);
    await partnersCall(stage);
    await fixture.partnerHiring.worker.drain();
    expect(fixture.resumeFiles).toHaveLength(1);
    expect(await gauges()).toEqual([0, 0]);
    await fixture.operator.candidates.erase({ email: CANDIDATE.email });
    await fixture.clock.advance(90_000);
    expect(await gauges()).toEqual([1, 90]);
    await fixture.partnerHiring.worker.drain();
    expect(fixture.resumeFiles).toEqual([]);
    expect(await gauges()).toEqual([0, 0]);
    await expectNothingPrivate();
  });
});
