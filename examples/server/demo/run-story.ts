import { coloured, outliveReaders } from '../console-output.js';
import { STOP_SIGNALS } from '../stop-signals.js';
import { DemoFailure } from './demo-failure.js';

/**
 * Runs a program that tells a story: says how it ended, in its exit code too.
 *
 * @param tell - gets what rejects at Ctrl-C, so that a story that is broken off cleans up too. It races it where it can
 *   be broken off; until then the first Ctrl-C waits, so that nothing is left of what is being made.
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
    // The same Ctrl-C ends the processes that were started, of which the story may have heard first.
    const reason: unknown = await Promise.race([interrupted, error]).catch((failure: unknown) => failure);
    console.error(`${coloured('red', '✗')} ${reason instanceof Error ? reason.message : String(reason)}`);
    // All is cleared away. What a story that was broken off still waits for would hold the process until it gives up.
    process.exit(1);
  }
}

function interruption(): Promise<never> {
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of STOP_SIGNALS) {
      process.once(signal, () => reject(new DemoFailure(`Interrupted by ${signal}`)));
    }
  });
  // It may come where nobody waits for it.
  interrupted.catch(() => {});
  return interrupted;
}
