import * as timers from 'node:timers';

/**
 * The timers of Node, for waits that the work itself needs. A test may replace the global ones, before or after this module
 * is loaded, and its fake ones fire only if it says so. Deadlines use the global ones, so that a test can let them pass.
 */
export const onImmediate = timers.setImmediate;
export const onTimeout = timers.setTimeout;
export const stopTimeout = timers.clearTimeout;
