import * as timers from 'node:timers';

/**
 * The timers of Node, for waits that the work itself needs, even if a test replaces the global ones. Deadlines use the
 * global ones, so that a test can let them pass.
 */
export const onImmediate = timers.setImmediate;
export const onTimeout = timers.setTimeout;
export const stopTimeout = timers.clearTimeout;
