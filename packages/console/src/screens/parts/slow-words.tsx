import { type Gap, gapWords, type ShownGap, type WaitingEvents } from '@partner-hiring/core';
import { Moment } from '../../view/parts.js';

interface SlowWordsProps {
  readonly gap: Gap | ShownGap;
  /** Not counted in lists. */
  readonly waiting?: WaitingEvents | undefined;
}

/** Says why an endpoint is sent to slowly, and when the next attempt is. */
export function SlowWords({ gap, waiting }: SlowWordsProps) {
  return (
    <>
      {gapWords(
        gap,
        (at) => (
          <Moment at={at} />
        ),
        waiting,
      )}
    </>
  );
}

/** Counts what waits for an active endpoint. */
export function waitingOf(counts: {
  readonly due: number;
  readonly scheduled: number;
  readonly isExact: boolean;
}): WaitingEvents {
  return { count: counts.due + counts.scheduled, isExact: counts.isExact };
}
