import { INBOX_TASK, type PlannedTask, type TaskWorker } from '../../worker/worker-parts.js';
import type { Feature, FeatureHost } from '../feature.js';
import { checkSink } from './check-options.js';
import { createResumeFetcher, FETCH_RESUMES } from './fetch-task.js';
import { observeGivenUpResumes, observeResumeRemovals, observeResumeSource } from './metrics.js';
import { createResumeRemover } from './removal-task.js';

export const resumesFeature: Feature = {
  name: 'resumes',
  checkOptions: ({ resumeSink }) => checkSink(resumeSink),
  make(host) {
    const { storage, storageClock, telemetry, logger } = host.ports;
    return {
      tasks: (worker) => tasksOf(host, worker),
      resumeSubmitted: () => host.worker().wakeTask(FETCH_RESUMES),
      gauges: [observeResumeRemovals(telemetry, storage.direct, storageClock, logger)],
    };
  },
};

function tasksOf({ options, ports }: FeatureHost, worker: TaskWorker): readonly PlannedTask[] {
  const { storage, resumeSource, resumeSink: sink, telemetry, logger, instance } = ports;
  const fetcher = createResumeFetcher({
    ...ports,
    source: observeResumeSource(resumeSource, telemetry),
    sink,
    scanner: options.resumeScanner,
    deployment: instance.deployment ?? undefined,
    concurrency: worker.options.resumeConcurrency,
    onCapacity: () => worker.wake(FETCH_RESUMES),
    // The inbox has an item of each ended download.
    onEnded: () => worker.wake(INBOX_TASK),
    onGivenUp: observeGivenUpResumes(telemetry, logger),
  });
  const remover = createResumeRemover({ ...ports, direct: storage.direct, sink });
  return [fetcher, remover].map((task) => ({ task, isDemanded: true, wake: true }));
}
