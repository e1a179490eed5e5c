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
  settings: ({ sandbox }) => ({ sandbox: sandbox ?? false }),
  make({ options, ports, runnerAs, worker }) {
    if (options.sandbox !== true) return {};
    const { storage, storageClock, runtime, logger } = ports;
    const { direct } = storage;
    const limits = withDefaults(RATE_LIMITS, options.limits);
    const stepper = createSandboxStepper(runnerAs(systemActor('sandbox')));
    const task = createSandboxPlayer({ direct, stepper, clock: runtime.clock, storageClock, logger });
    return {
      tasks: () => [{ task, isDemanded: true, inSleep: true }],
      wrap: (partner) =>
        answerInSandbox(rousing(partner, worker), { jobs: direct.jobs, limits, storageClock }),
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
