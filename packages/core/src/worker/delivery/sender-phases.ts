/**
 * The phases of a sender. Only an open one starts attempts.
 *
 *   open ──close──> closing ──done──> releasing ──end──> ended
 *   open ──done──> releasing
 *   open, closing ──cut──> cut ──done──> releasing
 *   open, closing, cut, releasing ──lose──> lost ──end──> ended
 *
 * close: the sender must stop, its endpoint is paused or gone, or attempts cannot be made.
 * cut:   the sender must stop without waiting for its attempts in flight. These attempts are not counted.
 * lose:  another worker may have the lease, so the sender records nothing more.
 * done:  no attempt is in flight, and none may start or no event waits. After a cut, attempts may be in flight.
 * end:   the last record, which also releases the lease, is committed or was given up.
 */
export const SENDER_PHASES: Readonly<Record<SenderPhase, Partial<Record<SenderStep, SenderPhase>>>> = {
  open: { close: 'closing', cut: 'cut', lose: 'lost', done: 'releasing' },
  closing: { cut: 'cut', lose: 'lost', done: 'releasing' },
  cut: { lose: 'lost', done: 'releasing' },
  releasing: { lose: 'lost', end: 'ended' },
  lost: { end: 'ended' },
  ended: {},
};

export type SenderPhase = 'open' | 'closing' | 'cut' | 'releasing' | 'lost' | 'ended';
export type SenderStep = 'close' | 'cut' | 'lose' | 'done' | 'end';
