import { coloured, outliveReaders } from '../console-output.js';
import { STOP_SIGNALS } from '../stop-signals.js';
import { DemoFailure } from './demo-failure.js';

/** Runs a program that tells a story: says how it ended, in its exit code too. */
export async function runStory(tell: () => Promise<void>, lastWord: string): Promise<void> {
  outliveReaders();
  try {
    await tell();
    console.log(coloured('green', `\n${lastWord}`));
  } catch (error) {
    console.error(`${coloured('red', '✗')} ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

/** Rejects at Ctrl-C, so that a story that is broken off cleans up too. */
export function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of STOP_SIGNALS) {
      process.once(signal, () => reject(new DemoFailure(`Interrupted by ${signal}`)));
    }
  });
}
