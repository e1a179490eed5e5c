import type { Logger } from '../ports/telemetry.js';

/** A logger that says nothing. */
export const noLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};
