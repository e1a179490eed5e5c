import type { Instant } from '../../domain/time.js';
import type { Feature } from '../feature.js';
import { requestDefinitions } from './commands.js';
import { observeRequestLog } from './metrics.js';
import { createRequestLog } from './recorder.js';
import { REQUESTS_KEPT_MS } from './rules.js';

export const requestLogFeature: Feature = {
  name: 'request-log',
  needs: ['readiness'],
  commands: { requests: requestDefinitions },
  make({ options, ports }) {
    const { storage, storageClock, runtime, telemetry, logger } = ports;
    const log = createRequestLog({
      direct: storage.direct,
      keepsRequests: options.requestLog ?? true,
      runtime,
      storageClock,
      seconds: () => telemetry.seconds(),
      observer: observeRequestLog(telemetry, logger),
    });
    const { requestsMs = REQUESTS_KEPT_MS } = options.retention ?? {};
    const before = (now: Instant) => now - requestsMs;
    return {
      sweeps: [
        { kind: 'requests', rows: 'requests', before, remove: (r, ...by) => r.requests.sweep(...by) },
        {
          kind: 'reads',
          rows: 'counts of reads',
          before,
          remove: (r, ...by) => r.requests.sweepReads(...by),
        },
      ],
      recorder: log,
      delivered: log.delivered,
      flush: log.flush,
      close: log.close,
    };
  },
};
