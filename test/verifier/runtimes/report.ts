import { writeFileSync } from 'node:fs';
import type { TestResult } from '../suite/suite.js';

/** Totals with the names of Vitest's JSON. */
export interface Counts {
  numPassedTests: number;
  numFailedTests: number;
}

/** Prints the failures and the number of passed tests, and adds them to the totals. */
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

/** Sets the exit code, and writes the totals to a file if one is named. */
export function finish(counts: Counts, outputFile: string | undefined): void {
  if (outputFile !== undefined) {
    writeFileSync(outputFile, JSON.stringify({ ...counts, numPendingTests: 0, numTodoTests: 0 }));
  }
  if (counts.numFailedTests > 0) process.exitCode = 1;
}
