import { print, printError } from './console-output.js';

/** The signals of Ctrl-C, a supervisor, and a closed terminal. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** The signals of a server, which also stops with its parent process. */
const STOP_EVENTS = [...STOP_SIGNALS, 'disconnect'] as const;

/** Stops gracefully at the first signal, then ends the process. A second Ctrl-C ends it at once. */
export function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false;
  for (const event of STOP_EVENTS) {
    process.on(event, () => {
      if (isStopping && event === 'SIGINT') process.exit(130);
      if (isStopping) return;
      isStopping = true;
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          printError(error);
          process.exit(1);
        },
      );
    });
  }
}

/** Wraps a stop function, so that it prints a message before and after it stops. */
export function announced(stop: () => Promise<void>): () => Promise<void> {
  return async () => {
    // After the terminal's `^C`.
    print('\nStopping after the current work. Press Ctrl-C again to stop at once.');
    await stop();
    print('Stopped.');
  };
}
