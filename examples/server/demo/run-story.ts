import { coloured, outliveReaders } from '../console-output.js';
import { STOP_SIGNALS } from '../stop-signals.js';
import { DemoFailure } from './demo-failure.js';

/**
 * Runs a story, prints its result and sets the exit code.
 *
 * @param tell - gets a promise that rejects at Ctrl-C. It races it where it can be interrupted and clean up.
 */
export async function runStory(
  tell: (interrupted: Promise<never>) => Promise<void>,
  lastWord: string,
): Promise<void> {
  outliveReaders();
  const interrupted = interruption();
  try {
    await tell(interrupted);
    console.log(coloured('green', `\n${lastWord}`));
  } catch (error) {
    // Ctrl-C also stops child processes, whose exit the story may have seen first.
    const reason: unknown = await Promise.race([interrupted, error]).catch((failure: unknown) => failure);
    console.error(`${coloured('red', '✗')} ${reason instanceof Error ? reason.message : String(reason)}`);
    // Everything is cleaned up. Pending waits of an interrupted story would keep the process alive.
    process.exit(1);
  }
}

function interruption(): Promise<never> {
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of STOP_SIGNALS) {
      process.once(signal, () => reject(new DemoFailure(`Interrupted by ${signal}`)));
    }
  });
  // It must not be an unhandled rejection.
  interrupted.catch(() => {});
  return interrupted;
}
