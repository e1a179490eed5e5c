import { AUDIT_MS } from '../../domain/audit.js';
import type { Sweep } from '../../worker/sweep.js';
import { INBOX_TASK } from '../../worker/worker-parts.js';
import type { Feature } from '../feature.js';
import { checkInbox } from './check-options.js';
import { inboxDefinitions } from './commands.js';
import { detailsOf } from './find-entries.js';
import { createInbox } from './inbox-task.js';
import { observeInboxHandOver, observeInboxSize } from './metrics.js';
import { tellHost } from './tell-host.js';

export const inboxFeature: Feature = {
  name: 'inbox',
  checkOptions: ({ inbox }) => checkInbox(inbox),
  commands: { inbox: inboxDefinitions },
  make({ options, ports, worker }) {
    const { storage, storageClock, runtime, telemetry, logger } = ports;
    const { auditMs = AUDIT_MS } = options.retention ?? {};
    const sweeps: readonly Sweep[] = [
      {
        kind: 'inboxReceipts',
        rows: 'inbox receipts',
        before: (now) => (auditMs === null ? null : now - auditMs),
        remove: (r, ...by) => r.inbox.sweepReceipts(...by),
      },
    ];
    if (options.inbox === undefined) return { sweeps };
    const observer = observeInboxHandOver(telemetry, logger);
    const inbox = createInbox({ storage, storageClock, runtime, inbox: options.inbox, observer });
    return {
      sweeps,
      tasks: () => [{ task: inbox.task, isDemanded: true, wake: true }],
      // Turns the inbox on before the first submission of the process, and wakes the worker after each.
      wrap: (partner) => ({
        ...partner,
        submitApplication: async (call) => {
          await inbox.ensureOn();
          const outcome = await partner.submitApplication(call);
          if (outcome.kind === 'created') worker().wakeTask(INBOX_TASK, call.key.id);
          return outcome;
        },
      }),
      gauges: [observeInboxSize(telemetry, storage.direct, storageClock, logger)],
    };
  },
  hooks: { moved: tellHost, shown: detailsOf },
};
