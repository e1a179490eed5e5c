import { createInterface } from 'node:readline/promises';
import { terminalLines } from './report/terminal-text.js';

/** Asks a question of one or several lines. Returns null if the process has no terminal. */
export type Ask = (question: string) => Promise<boolean | null>;

/** Speaks with the person at the terminal while a command runs. */
export interface Dialog {
  readonly ask: Ask;
  /** Prints a warning to standard error. */
  warn(text: string): void;
}

/**
 * Asks on the terminal of this process. Prints the question to standard error, so that it is not in redirected output.
 */
export const askOnTerminal: Ask = async (question) => {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${terminalLines(question)} [y/N] `);
    return /^y(?:es)?$/i.test(answer.trim());
  } catch {
    // The person has left, with Ctrl-C or Ctrl-D.
    return false;
  } finally {
    terminal.close();
  }
};
