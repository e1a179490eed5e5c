import { withoutMessage } from '../../../domain/alert.js';
import type { OperatorAlerts } from '../../../ports/host-services.js';
import type { Logger } from '../../../ports/telemetry.js';

const MESSAGES = {
  endpoint_failing:
    'A webhook endpoint is failing. After 50 failures in a row, or 24 hours without a success, it is paused.',
  endpoint_paused: 'A webhook endpoint was paused. Its events are kept. Resume it when it works again.',
  endpoint_recovered: 'A webhook endpoint that was reported as failing or paused accepts events again.',
  delivery_dead: 'A webhook delivery failed permanently. You can resend it.',
  endpoint_url_changed:
    'A partner changed the URL of its webhook endpoint. If it was not the partner, call operator.endpoints.setUrl({ keyId, restore: true }) and revoke the key.',
  key_rotated:
    'A partner made a new API key. If it was not the partner, revoke it, and end its links and sessions with operator.portal.revoke.',
  signing_secret_rotated:
    'A partner rotated the signing secret of its webhook endpoint. If it was not the partner, rotate it again and revoke the key.',
  key_secret_ending: 'An old secret of a partner key ends soon. Its partner has a message about it.',
  signing_secret_ending: 'An old signing secret ends soon. Its partner has a message about it.',
  messages_collected: 'A partner has one message about several alerts of the last hour.',
  jobs_sync_held:
    'A sync of jobs has closed nothing, because too many jobs are missing in its source. If they are really gone, call operator.jobs.syncs.request with applyHeld.',
  jobs_sync_failed:
    'Two syncs of jobs in a row have failed. The log of the process that ran them has the error of the source.',
  jobs_sync_refused_rows:
    'A sync of jobs has refused rows of its source. operator.jobs.syncs.last shows them, and how to fix them.',
  jobs_sync_recovered: 'A sync of jobs has ended troubles of which an alert was raised.',
  inbox_item_parked:
    'The host refused an inbox item for a day, so it was parked. Fix the cause, then call operator.inbox.retry.',
} as const;

/**
 * Returns an alerts port that logs each alert at level `warn`, without the message for the partner's contact.
 */
export function createLogAlerts(logger: Pick<Logger, 'warn'>): OperatorAlerts {
  return {
    alert: async (alert) => logger.warn({ alert: withoutMessage(alert) }, MESSAGES[alert.kind]),
  };
}
