import { coloured, outliveReaders, print, printError } from '../console-output.js';
import { DemoFailure } from './demo-failure.js';

/** The signals of Ctrl-C, a supervisor, and a closed terminal. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a story, prints its result and sets the exit code.
 *
 * @param tell - the story. It gets a promise that rejects at Ctrl-C, and must then clean up and reject.
 */
export async function runStory(
  tell: (interrupted: Promise<never>) => Promise<void>,
  lastWord: string,
): Promise<void> {
  outliveReaders();
  const interrupted = interruption();
  try {
    await tell(interrupted);
    print(coloured('green', `\n${lastWord}`));
  } catch (error) {
    // Ctrl-C also stops the child processes. If the story failed because a child exited, report the
    // interruption instead.
    const reason: unknown = await Promise.race([interrupted, error]).catch((failure: unknown) => failure);
    printError(`${coloured('red', '✗')} ${reason instanceof Error ? reason.message : String(reason)}`);
    // The story has already cleaned up. Its pending waits would keep the process alive.
    process.exit(1);
  }
}

function interruption(): Promise<never> {
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of STOP_SIGNALS) {
      process.once(signal, () => reject(new DemoFailure(`Interrupted by ${signal}`)));
    }
  });
  // Without this handler, a rejection that the story does not await would count as unhandled.
  interrupted.catch(() => {});
  return interrupted;
}
