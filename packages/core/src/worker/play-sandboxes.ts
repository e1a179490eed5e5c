import type { Clock } from '../ports/runtime.js';
import type { SandboxStepper } from '../ports/sandbox-stepper.js';
import type { Repositories } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';
import type { StorageClock } from '../storage-clock.js';
import type { PeriodicTask } from './loop.js';
import { createFeedReader } from './play-sandboxes/feed-reader.js';
import { createIsolate } from './play-sandboxes/isolate.js';
import { createStepPlan } from './play-sandboxes/step-plan.js';

/** What the chore is made of. */
export interface SandboxPlayerOptions {
  readonly direct: Pick<Repositories, 'feed'>;
  readonly stepper: SandboxStepper;
  readonly clock: Clock;
  readonly storageClock: StorageClock;
  readonly logger: Logger;
}

/**
 * Builds the chore that lets sandboxes play. It keeps nothing that matters: what is to happen follows from what
 * is stored, and every change shows in the feed of its key.
 */
export function createSandboxPlayer(options: SandboxPlayerOptions): PeriodicTask {
  const isolate = createIsolate(options.logger);
  const plan = createStepPlan({ ...options, isolate });
  const readFeeds = createFeedReader({ ...options, isolate, onPlanned: plan.add });

  return {
    name: 'play-sandboxes',
    async poll() {
      const found = [await readFeeds(), await plan.takeDue()];
      if (found.includes('full')) return 'full';
      return found.includes('some') ? 'some' : 'nothing';
    },
    idle: async () => {},
  };
}
