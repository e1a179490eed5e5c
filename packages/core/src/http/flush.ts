import type { Handler } from './message.js';

const flushes = new WeakMap<Handler, () => Promise<void>>();

/** Lets the fetch handler write what the handler leaves in memory. */
export function offerFlush(handler: Handler, flush: () => Promise<void>): void {
  flushes.set(handler, flush);
}

/** Returns undefined for a handler that does not belong to a partner API. */
export function flushOf(handler: Handler): (() => Promise<void>) | undefined {
  return flushes.get(handler);
}
