import type { ApplicationId } from '../../domain/ids.js';
import { REFUSED_BY_SCANNER } from '../../domain/resume.js';
import { EXCHANGE_SECONDS } from '../../observe/buckets.js';
import type { ResumeSource } from '../../ports/resumes.js';
import type { Repositories } from '../../ports/storage.js';
import type { Logger, Telemetry } from '../../ports/telemetry.js';
import type { StorageClock } from '../../storage-clock.js';

/**
 * Measures résumé downloads. Records nothing of the URL, because a candidate's own domain may be a personal
 * name.
 */
export function observeResumeSource(source: ResumeSource, telemetry: Telemetry): ResumeSource {
  const duration = telemetry.histogram({
    name: 'partner_hiring.resume.fetch.duration',
    unit: 's',
    description: 'Downloads of résumés, by outcome.',
    attributes: ['partner_hiring.resume.outcome'],
    buckets: EXCHANGE_SECONDS,
  });

  return {
    async fetch(url) {
      const startedAt = telemetry.seconds();
      const span = telemetry.startSpan('partner_hiring.resume.fetch', 'client', {
        'http.request.method': 'GET',
      });
      let outcome = 'not_fetched';
      try {
        const download = await span.run(() => source.fetch(url));
        outcome = download.kind === 'fetched' ? 'fetched' : download.reason;
        return download;
      } finally {
        const attributes = { 'partner_hiring.resume.outcome': outcome };
        duration(telemetry.seconds() - startedAt, attributes);
        span.set(attributes);
        if (outcome !== 'fetched') span.fail(outcome);
        span.end();
      }
    },
    close: (giveUp) => source.close(giveUp),
  };
}

const GIVEN_UP = 'A résumé download failed permanently. To retry it, call applications.updateResume.';
const REFUSED =
  'Your scanner refused a résumé. It is not stored. `resume.detail` of the application has the reason. ' +
  'After a false alarm, call applications.updateResume.';

export function observeGivenUpResumes(
  telemetry: Telemetry,
  logger: Logger,
): (applicationId: ApplicationId, reason: string) => void {
  const givenUp = telemetry.counter({
    name: 'partner_hiring.resume.given_up',
    unit: '{resume}',
    description: 'Résumés that are not retried, by the outcome of the last attempt.',
    attributes: ['partner_hiring.resume.outcome'],
  });
  return (applicationId, reason) => {
    givenUp(1, { 'partner_hiring.resume.outcome': reason });
    logger.warn({ applicationId, reason }, reason === REFUSED_BY_SCANNER ? REFUSED : GIVEN_UP);
  };
}

const REMOVAL_GAUGES = [
  {
    name: 'partner_hiring.resume.removals',
    unit: '{resume}',
    description: 'Résumés of erased candidates that wait for their removal, up to 10,000.',
  },
  {
    name: 'partner_hiring.resume.removals.age',
    unit: 's',
    description: 'Time since the first of these candidates was erased.',
  },
] as const;

/** Registers the gauges of waiting removals. Returns a function that unregisters them. */
export function observeResumeRemovals(
  telemetry: Telemetry,
  { resumeRemovals }: Pick<Repositories, 'resumeRemovals'>,
  storageClock: Pick<StorageClock, 'sync'>,
  logger: Logger,
): () => void {
  return telemetry.observe(REMOVAL_GAUGES, async () => {
    try {
      const { waiting, oldestErasedAt } = await resumeRemovals.counts();
      const age = oldestErasedAt === null ? 0 : Math.max(0, (await storageClock.sync()) - oldestErasedAt);
      return [waiting, age / 1_000];
    } catch (err) {
      logger.error({ err }, 'Counting the résumés to remove failed.');
      return null;
    }
  });
}
