import { systemActor } from '../../domain/audit.js';
import { RUN_OPERATIONS } from '../../worker/run-operations.js';
import type { PlannedTask, TaskWorker } from '../../worker/worker-parts.js';
import type { Feature, FeatureHost } from '../feature.js';
import { candidateDefinitions } from './commands.js';
import { createRetention, eraseStep } from './erase-many.js';
import { createRetentionTask } from './retention-task.js';
import { createRewriter } from './rewrite-task.js';

export const privacyFeature: Feature = {
  name: 'privacy',
  needs: ['inbox', 'request-log'],
  commands: { candidates: candidateDefinitions },
  plans: { erase: { step: eraseStep } },
  make: (host) => ({ tasks: (worker) => tasksOf(host, worker) }),
};

function tasksOf(
  { options, ports, runnerAs }: FeatureHost,
  { rouse, wake }: TaskWorker,
): readonly PlannedTask[] {
  const { storage, runtime, logger } = ports;
  const { clock } = runtime;
  const tasks: PlannedTask[] = [];
  const keptMs = options.retention?.applicationsMs;
  if (keptMs !== undefined) {
    const start = createRetention(runnerAs(systemActor('retention')), keptMs);
    const onStarted = () => {
      rouse();
      wake(RUN_OPERATIONS);
    };
    tasks.push({ task: createRetentionTask(start, clock, onStarted), inSleep: true });
  }
  const { rewriteErased } = storage;
  if (rewriteErased !== undefined) {
    tasks.push({ task: createRewriter({ rewriteErased, clock, logger }), inSleep: true });
  }
  return tasks;
}
