import { systemActor } from '../../domain/audit.js';
import type { Feature } from '../feature.js';
import { candidateDefinitions } from './commands.js';
import { createRetention, eraseStep } from './erase-many.js';
import { createRetentionTask } from './retention-task.js';
import { createRewriter } from './rewrite-task.js';

export const privacyFeature: Feature = {
  name: 'privacy',
  needs: ['inbox', 'request-log'],
  commands: { candidates: candidateDefinitions },
  plans: { erase: { step: eraseStep } },
  tasks: ({ storage: { rewriteErased }, retention, runtime: { clock }, logger }, { rouse, wake }) => {
    const onStarted = () => {
      rouse();
      wake('run-operations');
    };
    return [
      ...(retention === undefined
        ? []
        : [{ task: createRetentionTask(retention, clock, onStarted), inSleep: true as const }]),
      ...(rewriteErased === undefined
        ? []
        : [{ task: createRewriter({ rewriteErased, clock, logger }), inSleep: true as const }]),
    ];
  },
  make({ options: { retention }, runnerAs }) {
    const ms = retention?.applicationsMs;
    if (ms === undefined) return {};
    return { forWorker: { retention: createRetention(runnerAs(systemActor('retention')), ms) } };
  },
};
