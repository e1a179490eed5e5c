import type { ResumeSink, ResumeSource } from '../../ports/resumes.js';
import type { PeriodicTask } from '../../worker/loop.js';
import type { TaskWorker, WorkerParts } from '../../worker/worker-parts.js';
import type { Feature } from '../feature.js';
import { checkSink } from './check-options.js';
import { createResumeFetcher, FETCH_RESUMES } from './fetch-task.js';
import { observeGivenUpResumes, observeResumeRemovals, observeResumeSource } from './metrics.js';
import { createResumeRemover } from './removal-task.js';

export const resumesFeature: Feature = {
  name: 'resumes',
  checkOptions: ({ resumeSink }) => checkSink(resumeSink),
  tasks: ({ resumeSource, resumeSink, ...parts }, worker) =>
    resumeSource === undefined || resumeSink === undefined
      ? []
      : [
          {
            task: createFetchTask(parts, resumeSource, resumeSink, worker),
            isDemanded: true,
            wake: true,
          },
          {
            task: createResumeRemover({ ...parts, direct: parts.storage.direct, sink: resumeSink }),
            isDemanded: true,
            wake: true,
          },
        ],
  make: ({
    options,
    ports: { resumeSource, resumeSink, storage, storageClock, telemetry, logger },
    worker,
  }) => ({
    forWorker: {
      resumeSource: observeResumeSource(resumeSource, telemetry),
      resumeSink,
      resumeScanner: options.resumeScanner,
      onResumeGivenUp: observeGivenUpResumes(telemetry, logger),
    },
    resumeSubmitted: () => worker().wakeTask(FETCH_RESUMES),
    gauges: [observeResumeRemovals(telemetry, storage.direct, storageClock, logger)],
  }),
};

function createFetchTask(
  parts: WorkerParts,
  source: ResumeSource,
  sink: ResumeSink,
  { options, wake }: TaskWorker,
): PeriodicTask {
  return createResumeFetcher({
    ...parts,
    source,
    sink,
    scanner: parts.resumeScanner,
    deployment: parts.process?.deployment ?? undefined,
    concurrency: options.resumeConcurrency,
    onCapacity: () => wake(FETCH_RESUMES),
    // The inbox has an item of each ended download.
    onEnded: () => wake('inbox'),
    onGivenUp: parts.onResumeGivenUp ?? (() => {}),
  });
}
