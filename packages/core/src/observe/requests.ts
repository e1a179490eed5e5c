import type { KeyId } from '../domain/ids.js';
import type { RequestObserver } from '../http/observer.js';
import type { Logger, Telemetry } from '../ports/telemetry.js';
import { EXCHANGE_SECONDS } from './buckets.js';

/** Watches requests: a span, a duration by route and code, and a line each. */
export function observeRequests(telemetry: Telemetry, logger: Logger): RequestObserver {
  const duration = telemetry.histogram({
    name: 'http.server.request.duration',
    unit: 's',
    description: 'Requests of partners, from their arrival to their reply.',
    buckets: EXCHANGE_SECONDS,
  });

  return {
    arrived({ requestId, method, route }) {
      const startedAt = telemetry.seconds();
      const attributes: Record<string, string | number> = { 'http.request.method': method };
      if (route !== null) attributes['http.route'] = route;
      const span = telemetry.startSpan(nameOf(method, route), 'server', attributes);
      if (span.isRecorded) span.set({ 'partner_hiring.request.id': requestId });
      let keyId: KeyId | null = null;

      return {
        run: span.run,
        admitted(id) {
          keyId = id;
        },
        answered(status, code) {
          const seconds = telemetry.seconds() - startedAt;
          // One object, grown in place: this is on the way of every request, watched or not.
          attributes['http.response.status_code'] = status;
          if (code !== null) attributes['partner_hiring.error.code'] = code;
          if (code !== null && status >= 500) attributes['error.type'] = code;
          duration(seconds, attributes);
          if (span.isRecorded) {
            span.set(attributes);
            if (keyId !== null) span.set({ 'partner_hiring.key.id': keyId });
            if (status >= 500) span.fail(code ?? String(status));
          }
          span.end();
          logger.debug(
            { requestId, keyId, method, route, status, code, durationMs: Math.round(seconds * 1_000) },
            'A partner request was answered.',
          );
        },
      };
    },
  };
}

/** As OpenTelemetry's conventions have it, also for a method that is none of HTTP's. */
function nameOf(method: string, route: string | null): string {
  const known = method === '_OTHER' ? 'HTTP' : method;
  return route === null ? known : `${known} ${route}`;
}
