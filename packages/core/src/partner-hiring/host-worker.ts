import { outsideRequests } from '../defaults/async-context.js';
import type { FilledInPorts } from '../fill-in-ports.js';
import { observeResumeSource } from '../observe/resumes.js';
import { createStepper, type OperatorOptions } from '../operator/operator.js';
import type { PartnerHiringOptions } from '../partner-hiring-options.js';
import { createWorker, type OwnWorker } from '../worker/worker.js';

/** The worker of a host. What it cannot send without is missed where it is started, not where it is built. */
export function createHostWorker<HostTx>(
  options: PartnerHiringOptions<HostTx>,
  ports: FilledInPorts<HostTx>,
  operator: OperatorOptions<HostTx>,
): OwnWorker {
  const { storage, storageClock, runtime, transport, resumeSink, alerts, secretBox, logger, assertSends } =
    ports;
  const worker = createWorker({
    storage,
    storageClock,
    runtime,
    transport,
    resumeSource: observeResumeSource(ports.resumeSource, ports.telemetry),
    resumeSink,
    alerts,
    secretBox,
    logger,
    observer: ports.observers.worker,
    ...(options.resumeScanner === undefined ? {} : { resumeScanner: options.resumeScanner }),
    ...(options.worker === undefined ? {} : { options: options.worker }),
    ...(operator.sandbox ? { sandbox: createStepper(operator) } : {}),
  });
  return {
    ...worker,
    start: () => {
      assertSends();
      outsideRequests(worker.start);
    },
    drain: async () => {
      assertSends();
      await worker.drain();
    },
  };
}
