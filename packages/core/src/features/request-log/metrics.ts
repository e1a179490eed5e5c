import type { Logger, Telemetry } from '../../ports/telemetry.js';
import type { RequestLogObserver } from './recorder.js';

/** A full buffer must not fill the host's log. */
const WARN_EVERY_SECONDS = 60;

export function observeRequestLog(telemetry: Telemetry, logger: Logger): RequestLogObserver {
  const count = telemetry.counter({
    name: 'partner_hiring.request_log.dropped',
    unit: '{request}',
    description: 'Requests that are missing in the request log, because too many waited to be written.',
  });
  let dropped = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  return {
    dropped(requests) {
      count(requests, {});
      dropped += requests;
      const now = telemetry.seconds();
      if (now - warnedAt < WARN_EVERY_SECONDS) return;
      logger.warn(
        { dropped },
        'The request log is full, because the database is too slow. Some requests are missing in it.',
      );
      warnedAt = now;
      dropped = 0;
    },
    failed: (err, waiting) =>
      logger.error(
        { err, waiting },
        'The request log could not be written. It stays in memory and is written again.',
      ),
  };
}
