import { writeFileSync } from 'node:fs';
import type { TestResult } from '../suite/suite.js';

/** Counts over all runs, under the names that Vitest gives them in its JSON. */
export interface Counts {
  numPassedTests: number;
  numFailedTests: number;
}

/** Prints what failed of a run, and how many passed; adds it to the counts. */
export function report(where: string, results: readonly TestResult[], counts: Counts): void {
  if (results.length === 0) throw new Error(`${where}: nothing was run.`);
  const failed = results.filter(({ error }) => error !== null);
  const passed = results.length - failed.length;
  for (const { name, error } of failed) console.log(`FAIL  ${where}: ${name}\n      ${error}`);
  console.log(
    `${failed.length === 0 ? 'ok  ' : 'FAIL'}  ${where}: ${passed} passed, ${failed.length} failed`,
  );
  counts.numPassedTests += passed;
  counts.numFailedTests += failed.length;
}

/** Ends a command: its exit code, and the counts in a file if one is named. */
export function finish(counts: Counts, outputFile: string | undefined): void {
  if (outputFile !== undefined) {
    writeFileSync(outputFile, JSON.stringify({ ...counts, numPendingTests: 0, numTodoTests: 0 }));
  }
  if (counts.numFailedTests > 0) process.exitCode = 1;
}
