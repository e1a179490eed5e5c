/** What asks a program to stop: Ctrl-C, a supervisor, or a terminal that is closed. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** The same for a server, which also stops with the process that started it. */
const STOP_EVENTS = [...STOP_SIGNALS, 'disconnect'] as const;

/** Stops once, gracefully, then ends the process. A second Ctrl-C does not wait. */
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
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}

/** The same stop for whoever looks at the terminal: it says that it has begun, and that it is done. */
export function announced(stop: () => Promise<void>): () => Promise<void> {
  return async () => {
    // Behind what a terminal shows of Ctrl-C.
    console.log('\nStopping: what is under way ends first. Ctrl-C does not wait for it.');
    await stop();
    console.log('Stopped.');
  };
}
