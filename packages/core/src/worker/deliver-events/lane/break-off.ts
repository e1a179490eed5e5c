import { SECOND_MS } from '../../../domain/time.js';
import { SecretsUnreadable } from '../../open-signers.js';
import type { LaneState } from './lane-state.js';

/** The pause after an unexpected failure of one lane: the storage may be back by then. */
const BROKEN_REST_MS = 5 * SECOND_MS;

/** The lane begins nothing more, and its endpoint rests. Once for all that are under way: they break off for one cause. */
export function breakOff(lane: LaneState, err: unknown): void {
  if (lane.restMs > 0) return;
  const { keyId, context } = lane;
  const restMs = err instanceof SecretsUnreadable ? context.options.unreadableRestMs : BROKEN_REST_MS;
  lane.restMs = restMs;
  context.logger.error(
    { err, keyId, restMs },
    'Events cannot be sent to this endpoint for now; none was counted.',
  );
}
