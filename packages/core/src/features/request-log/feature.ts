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
  sweeps: ({ requestsMs = REQUESTS_KEPT_MS }) => {
    const before = (now: Instant) => now - requestsMs;
    return [
      { kind: 'requests', rows: 'requests', before, remove: (r, ...by) => r.requests.sweep(...by) },
      { kind: 'reads', rows: 'counts of reads', before, remove: (r, ...by) => r.requests.sweepReads(...by) },
    ];
  },
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
    return {
      forWorker: { requestsMs: options.retention?.requestsMs },
      recorder: log,
      delivered: log.delivered,
      flush: log.flush,
      close: log.close,
    };
  },
};
