#!/usr/bin/env node
import { certify } from './certify.js';
import { CertifyError } from './certify-error.js';
import { type CommandLine, HELP, readCommandLine } from './command-line.js';
import { createReportText } from './report-text.js';
import { terminalJson, terminalLines } from './terminal-text.js';

const EXIT_PASSED = 0;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const print = (text: string) => console.log(terminalLines(text));
const printError = (given: unknown) => console.error(terminalLines(given));

async function main(): Promise<number> {
  const line = readCommandLine(process.argv.slice(2), process.env);
  switch (line.kind) {
    case 'help':
      print(HELP);
      return EXIT_PASSED;
    case 'wrong':
      printError(`${line.message} See certify --help`);
      return EXIT_USAGE;
    case 'certify':
      return run(line);
  }
}

async function run({ options, json }: Extract<CommandLine, { kind: 'certify' }>): Promise<number> {
  const text = createReportText(isColoured());
  const report = await certify({
    ...options,
    ...(json ? {} : { onCheck: (result) => print(text.check(result)) }),
  });
  print(json ? terminalJson(report) : `\n${text.conclusion(report)}`);
  return report.passed ? EXIT_PASSED : EXIT_FAILED;
}

/** Returns whether to print colors: on a terminal, unless `NO_COLOR` has a value. */
function isColoured(): boolean {
  return process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '';
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    printError(error instanceof CertifyError ? error.message : error);
    process.exitCode = EXIT_USAGE;
  },
);
