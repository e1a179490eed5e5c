import { systemActor } from '../../domain/audit.js';
import { withDefaults } from '../../domain/optional.js';
import { RATE_LIMITS } from '../../domain/rate-limit.js';
import { withinAct } from '../../operator/scope.js';
import type { PartnerApi } from '../../partner/partner-api.js';
import type { Feature, FeatureHost } from '../feature.js';
import { createSandboxStepper, prepareSandbox, sandboxDefinitions } from './commands.js';
import { answerInSandbox } from './replies.js';
import { createSandboxPlayer } from './task.js';

export const sandboxFeature: Feature = {
  name: 'sandbox',
  commands: { sandbox: sandboxDefinitions },
  tasks: ({ sandbox, storage, runtime, storageClock, logger }) =>
    sandbox === undefined
      ? []
      : [
          {
            task: createSandboxPlayer({
              direct: storage.direct,
              stepper: sandbox,
              clock: runtime.clock,
              storageClock,
              logger,
            }),
            isDemanded: true,
            inSleep: true,
          },
        ],
  settings: ({ sandbox }) => ({ sandbox: sandbox ?? false }),
  make({ options, ports: { storage, storageClock }, runnerAs, worker }) {
    if (options.sandbox !== true) return {};
    const deps = {
      jobs: storage.direct.jobs,
      limits: withDefaults(RATE_LIMITS, options.limits),
      storageClock,
    };
    return {
      forWorker: { sandbox: createSandboxStepper(runnerAs(systemActor('sandbox'))) },
      wrap: (partner) => answerInSandbox(rousing(partner, worker), deps),
    };
  },
  hooks: {
    // Its jobs cause events for the endpoint, and publishing them locks the key's feed until the commit.
    keyIssued: async (scope, { id, environment }) => {
      if (scope.sandbox && environment === 'sandbox') await prepareSandbox(withinAct(scope), id);
    },
  },
};

/** Ends the sleep of the worker after each submission, which it plays on. */
function rousing(partner: PartnerApi, worker: FeatureHost['worker']): PartnerApi {
  return {
    ...partner,
    submitApplication: async (call) => {
      const outcome = await partner.submitApplication(call);
      if (outcome.kind === 'created' && call.key.environment === 'sandbox') worker().rouse();
      return outcome;
    },
  };
}
