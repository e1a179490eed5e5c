/** What asks a server to stop: Ctrl-C, a supervisor, or the death of the process that started it. */
const STOP_EVENTS = ['SIGINT', 'SIGTERM', 'disconnect'] as const;

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
