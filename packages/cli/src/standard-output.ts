import type { CommandLineOutput } from './run-program.js';

/**
 * Returns the output of this process. If the reader closes the output, as `| head` does, ignores the error, which would
 * otherwise end the process. Other write errors, such as a full disk, set the exit code.
 */
export function createStandardOutput(): CommandLineOutput {
  for (const stream of [process.stdout, process.stderr]) {
    if (guarded.has(stream)) continue;
    guarded.add(stream);
    stream.on('error', (error) => {
      if ('code' in error && error.code === 'EPIPE') return;
      process.exitCode = 1;
      if (stream === process.stdout) console.error(`Cannot write to the standard output: ${error.message}`);
    });
  }
  return { out: (text) => console.log(text), error: (text) => console.error(text) };
}

const guarded = new WeakSet<object>();
