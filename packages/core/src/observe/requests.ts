import type { KeyId } from '../domain/ids.js';
import type { KeySecret, SecretEnd } from '../domain/partner-key.js';
import type { RequestObserver } from '../http/observer.js';
import type { Logger, Telemetry } from '../ports/telemetry.js';
import { EXCHANGE_SECONDS } from './buckets.js';

export function observeRequests(telemetry: Telemetry, logger: Logger): RequestObserver {
  const duration = telemetry.histogram({
    name: 'http.server.request.duration',
    unit: 's',
    description: 'Requests of partners, from their arrival to their reply.',
    attributes: [
      'http.request.method',
      'http.route',
      'http.response.status_code',
      'partner_hiring.error.code',
      'error.type',
    ],
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
          // This runs for every request, so it extends the existing object instead of copying it.
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

/** Follows OpenTelemetry's conventions: an unknown method is named `HTTP`. */
function nameOf(method: string, route: string | null): string {
  const known = method === '_OTHER' ? 'HTTP' : method;
  return route === null ? known : `${known} ${route}`;
}

export type EndedSecretObserver = (secret: KeySecret, end: SecretEnd) => void;

/** A client that keeps using an old secret must not fill the log. */
const WARN_EVERY_SECONDS = 60;

export function observeEndedSecrets(telemetry: Telemetry, logger: Logger): EndedSecretObserver {
  const count = telemetry.counter({
    name: 'partner_hiring.secret.ended_uses',
    unit: '{request}',
    description: 'Requests that carried a secret which was revoked or has expired.',
    attributes: ['partner_hiring.secret.end'],
  });
  // The map stays small, because only secrets that were really issued get here.
  const warnedAt = new Map<string, number>();

  return ({ hash, keyId, lastFour, expiresAt, revokedAt }, end) => {
    count(1, { 'partner_hiring.secret.end': end });
    const now = telemetry.seconds();
    if (now - (warnedAt.get(hash) ?? Number.NEGATIVE_INFINITY) < WARN_EVERY_SECONDS) return;
    warnedAt.set(hash, now);
    const ended = { revoked: revokedAt, expired: expiresAt, disabled: null }[end];
    const endedAt = ended === null ? null : new Date(ended).toISOString();
    logger.warn({ keyId, lastFour, end, endedAt }, MESSAGES[end]);
  };
}

const MESSAGES: Readonly<Record<SecretEnd, string>> = {
  revoked: 'A request carried a revoked secret. Find out who still has it.',
  disabled: 'A request carried a secret of a disabled partner.',
  expired: 'A request carried an expired secret. The partner must switch to the new one.',
};
