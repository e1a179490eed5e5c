import type { ClientClock } from '@partner-hiring/client';
import { createFastClock } from './fast-clock.js';

/** A minute passes in two seconds. */
const HASTE = 30;

/** A fast clock for a client. */
export function createHastyClock(): ClientClock {
  return createFastClock(HASTE);
}
