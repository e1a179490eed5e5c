import type { Instant } from '../../../domain/time.js';
import { isDone, isPollDue, nextStepAt } from './next-step.js';
import { pollAgain } from './poll-again.js';
import { recordEnded } from './record-ended.js';
import { reportIdle } from './report-idle.js';
import type { SenderState } from './sender-state.js';
import type { Sending } from './sending.js';
import { suspend } from './suspend.js';

/** How a lane ended. */
export interface SenderEnd {
  /** Whether something was committed that the lane did not look at any more. */
  readonly isWoken: boolean;
  /** Whether attempts ended that it could not record: they are made again. */
  readonly isUnrecorded: boolean;
  /** How long to leave the endpoint alone, in milliseconds; 0 after a lane that ended well. */
  readonly cooldownMs: number;
}

/** Takes step after step until there is nothing left to do, and lets go of the endpoint. Never rejects. */
export async function runSender(sender: SenderState, sending: Sending): Promise<SenderEnd> {
  const { held, pollPlan, context } = sender;
  const { clock } = context.runtime;
  while (!held.isLost() && !isDone(sender, clock.now())) {
    try {
      await step(sender, sending);
    } catch (err) {
      suspend(sender, err);
    }
  }
  sender.isClosing = true;
  if (!held.isLost()) await recordEnded(sender, true);
  sender.isOver = true;
  reportIdle(sender);
  return { isWoken: pollPlan.isWoken(), isUnrecorded: sender.isUnrecorded, cooldownMs: sender.cooldownMs };
}

async function step(sender: SenderState, sending: Sending): Promise<void> {
  const { clock } = sender.context.runtime;
  await sender.held.renewIfDue();
  if (isPollDue(sender, clock.now())) await pollAgain(sender);
  sending.launch();
  const now = clock.now();
  if (isDone(sender, now)) return;
  if (sender.toRecord.isDue(now)) return recordEnded(sender, false);
  reportIdle(sender);
  await waitForStep(sender, now);
}

async function waitForStep(sender: SenderState, now: Instant): Promise<void> {
  const { backlog, toRecord, wakeSignal } = sender;
  const nextAt = nextStepAt(sender, now);
  sender.wakesAt = backlog.inFlight() > 0 ? Math.min(nextAt, toRecord.expectedAt(now)) : nextAt;
  const waitMs = sender.wakesAt - now;
  if (waitMs > 0) await wakeSignal.wait(waitMs);
  sender.wakesAt = -Infinity;
}
