#!/usr/bin/env node
import { certify } from './certify.js';
import { CertifyError } from './certify-error.js';
import { type CommandLine, HELP, readCommandLine } from './command-line.js';
import { createReportText } from './report-text.js';

const EXIT_PASSED = 0;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

async function main(): Promise<number> {
  const line = readCommandLine(process.argv.slice(2), process.env);
  switch (line.kind) {
    case 'help':
      console.log(HELP);
      return EXIT_PASSED;
    case 'wrong':
      console.error(`${line.message} See certify --help`);
      return EXIT_USAGE;
    case 'certify':
      return run(line);
  }
}

async function run({ options, json }: Extract<CommandLine, { kind: 'certify' }>): Promise<number> {
  const text = createReportText(isColoured());
  const report = await certify({
    ...options,
    ...(json ? {} : { onCheck: (result) => console.log(text.check(result)) }),
  });
  console.log(json ? JSON.stringify(report, null, 2) : `\n${text.conclusion(report)}`);
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
    console.error(error instanceof CertifyError ? error.message : error);
    process.exitCode = EXIT_USAGE;
  },
);
