import { REFUSED_BY_SCANNER } from '../domain/resume.js';
import type { ResumeSource } from '../ports/resumes.js';
import type { Logger, Telemetry } from '../ports/telemetry.js';
import type { WorkerObserver } from '../worker/worker.js';
import { EXCHANGE_SECONDS } from './buckets.js';

/**
 * A source of résumés that is watched: a span and a duration by outcome. Nothing of the URL is told, not even
 * its host: candidates keep their résumé under their own name.
 */
export function observeResumeSource(source: ResumeSource, telemetry: Telemetry): ResumeSource {
  const duration = telemetry.histogram({
    name: 'partner_hiring.resume.fetch.duration',
    unit: 's',
    description: 'Fetches of résumés, by how they ended.',
    buckets: EXCHANGE_SECONDS,
  });

  return {
    async fetch(url) {
      const startedAt = telemetry.seconds();
      const span = telemetry.startSpan('partner_hiring.resume.fetch', 'client', {
        'http.request.method': 'GET',
      });
      // What a source that breaks its promise is recorded as, too.
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

const GIVEN_UP = 'A résumé was given up. applications.fetchResumeAgain has it tried again.';
const REFUSED =
  'Your scanner refused a résumé. It is not stored. `resume.detail` of the application has the reason; after a false alarm, ' +
  'applications.fetchResumeAgain has it fetched and scanned again.';

/** Watches résumés that are given up: a count by reason, and a line each. */
export function observeGivenUpResumes(telemetry: Telemetry, logger: Logger): WorkerObserver['resumeGivenUp'] {
  const givenUp = telemetry.counter({
    name: 'partner_hiring.resume.given_up',
    unit: '{resume}',
    description: 'Résumés that are not tried again, by what the last try ended with.',
  });
  return (applicationId, reason) => {
    givenUp(1, { 'partner_hiring.resume.outcome': reason });
    logger.warn({ applicationId, reason }, reason === REFUSED_BY_SCANNER ? REFUSED : GIVEN_UP);
  };
}
