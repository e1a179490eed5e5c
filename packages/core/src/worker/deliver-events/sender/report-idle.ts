import type { SenderState } from './sender-state.js';

/** Says whether the lane lingers: at once, not with the next step, since until it is known it keeps others from being leased. */
export function reportIdle(sender: SenderState): void {
  const isIdle = !sender.isOver && sender.backlog.waiting() === 0 && sender.backlog.inFlight() === 0;
  if (isIdle !== sender.isIdle) sender.context.onLingering(isIdle);
  sender.isIdle = isIdle;
}
