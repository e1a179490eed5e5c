import { isStepDue, type SandboxStep } from '../../domain/sandbox-step.js';
import type { SandboxStepper } from '../../ports/sandbox-stepper.js';
import type { StorageClock } from '../../storage-clock.js';
import { amountFound, type Found } from '../loop.js';
import { type Isolate, REST_MS } from './isolate.js';

/** What steps are taken with. */
export interface StepPlanParts {
  readonly stepper: Pick<SandboxStepper, 'take'>;
  /** Steps follow from stamps, so they are due on the storage's time. */
  readonly storageClock: Pick<StorageClock, 'sync'>;
  readonly isolate: Isolate;
}

/** The steps that are to be taken, each when it is due. */
export interface StepPlan {
  /** Takes them on. A step that is planned already is planned anew. */
  add(steps: readonly SandboxStep[]): void;
  /** Takes some of those that are due. */
  takeDue(): Promise<Found>;
}

/** Steps taken at a look, each a transaction of its own. */
const STEPS_AT_A_LOOK = 32;

/** Builds the plan, with nothing in it. */
export function createStepPlan({ stepper, storageClock, isolate }: StepPlanParts): StepPlan {
  const planned = new Map<string, SandboxStep>();

  async function takeStep(name: string, step: SandboxStep): Promise<void> {
    const dueAt = await stepper.take(step);
    if (dueAt === null) planned.delete(name);
    else planned.set(name, { ...step, dueAt });
  }

  return {
    add(steps) {
      for (const step of steps) planned.set(nameOf(step), step);
    },

    async takeDue() {
      const now = await storageClock.sync();
      const due = [...planned].filter(([, { dueAt }]) => isStepDue(dueAt, now));
      const some = due.slice(0, STEPS_AT_A_LOOK);
      for (const [name, step] of some) {
        const rest = () => planned.set(name, { ...step, dueAt: now + REST_MS });
        await isolate({ step: name }, { work: () => takeStep(name, step), rest });
      }
      return amountFound(some.length, due.length);
    },
  };
}

function nameOf(step: SandboxStep): string {
  return step.kind === 'application' ? step.id : `${step.keyId}:${step.name}`;
}
