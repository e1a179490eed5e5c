import type { Logger, Stopper } from '@partner-hiring/core';
import { consoleLogger, print } from './console-output.js';

/** Stops this process when its parent process has ended. */
export function stopWithParent({ stop }: Stopper): void {
  process.once('disconnect', () => void stop().finally(() => process.exit()));
}

/** Also prints that the process stops, and why. */
export const stopLogger: Logger = {
  ...consoleLogger,
  // After the terminal's `^C`.
  info: (_fields, message) => print(`\n${message}`),
};
