import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { LeasedEndpoint } from '../../ports/repositories/endpoints.js';
import type { TakenLease } from './sender/held-lease.js';
import { isDone, isPollDue, maySend, nextStepAt } from './sender/next-step.js';
import { reportIdle } from './sender/report-idle.js';
import { runSender, type SenderEnd } from './sender/run-sender.js';
import type { SenderContext } from './sender/sender-context.js';
import { createSenderState, type SenderState } from './sender/sender-state.js';
import { createSending, type Sending } from './sender/sending.js';
import { suspend } from './sender/suspend.js';

export type { SenderEnd } from './sender/run-sender.js';
export type { SenderContext } from './sender/sender-context.js';

/** One leased endpoint at work: it sends what is due, a few at a time, and records what came of it. */
export interface EndpointSender {
  readonly keyId: KeyId;
  /** Something was committed, perhaps nothing but events: look again soon. */
  wake(isOnlyEvents: boolean): void;
  /** Whether its claim may have run out although it goes on: it was held up or asleep, and renews it next. */
  isLate(now: Instant): boolean;
  /** Somebody waits for it to end: wait for nothing more. */
  hurry(): void;
  /** Begins no further attempt; ends once those under way are recorded. */
  close(): void;
  /** Ends at once and records nothing more. What was under way is sent again once the lease ran out. */
  abandon(): void;
  /** Never rejects. */
  readonly ended: Promise<SenderEnd>;
}

/** Opens the lane of an endpoint that was just leased. */
export function openSender(
  context: SenderContext,
  leased: LeasedEndpoint,
  taken: TakenLease,
): EndpointSender {
  const sender = createSenderState(context, leased, taken);
  const { keyId, held, wakeSignal, pollPlan } = sender;
  const { clock } = context.runtime;
  return {
    keyId,
    wake(isOnlyEvents) {
      pollPlan.wake(clock.now(), isOnlyEvents);
      wakeSignal.ring();
    },
    isLate: (now) => !sender.isUnrecorded && !held.isSafe(now),
    hurry: wakeSignal.ring,
    close() {
      sender.isClosing = true;
      wakeSignal.ring();
    },
    abandon() {
      held.lose();
      wakeSignal.ring();
    },
    ended: runSender(sender, openSending(sender)),
  };
}

function openSending(sender: SenderState): Sending {
  const { context, backlog, endpoint, held, toRecord } = sender;
  const { clock } = context.runtime;
  return createSending({
    backlog,
    endpoint,
    slots: context.slots,
    holder: held,
    ports: context.ports,
    runtime: context.runtime,
    maxInFlight: context.options.maxInFlightPerEndpoint,
    maySend: (now) => maySend(sender, now),
    onEnd: () => toRecord.plan(clock.now(), endpoint.current().state.kind !== 'active'),
    onBreak: (err) => suspend(sender, err),
    onChange: (now) => wakeIfDue(sender, now),
  });
}

/** Rings not for each attempt: a wait that is broken off costs more than signing. */
function wakeIfDue(sender: SenderState, now: Instant): void {
  reportIdle(sender);
  if (isPollDue(sender, now) || isDone(sender, now) || nextStepAt(sender, now) < sender.wakesAt)
    sender.wakeSignal.ring();
}
