import { SECOND_MS } from '../../../domain/time.js';
import { SecretsUnreadable } from '../../open-signers.js';
import type { SenderState } from './sender-state.js';

/** The pause after an unexpected failure of one lane: the storage may be back by then. */
const BROKEN_REST_MS = 5 * SECOND_MS;

/** The lane begins nothing more, and its endpoint rests. Once for all that are under way: they break off for one cause. */
export function suspend(sender: SenderState, err: unknown): void {
  if (sender.cooldownMs > 0) return;
  const { keyId, context } = sender;
  const cooldownMs = err instanceof SecretsUnreadable ? context.options.unreadableRestMs : BROKEN_REST_MS;
  sender.cooldownMs = cooldownMs;
  context.logger.error(
    { err, keyId, cooldownMs },
    'Events cannot be sent to this endpoint for now; none was counted.',
  );
}
