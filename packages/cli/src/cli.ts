#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { runPartnerHiring } from './partner-hiring-program.js';
import { terminalLines } from './report/terminal-text.js';
import { createStandardOutput } from './standard-output.js';

const argv = process.argv.slice(2);
const output = createStandardOutput();

// Prints warnings only with `--debug`. The server prints the same ones when it starts, and `doctor` reports their
// causes.
process.removeAllListeners('warning');
process.on('warning', ({ message }) => {
  if (argv.includes('--debug')) output.error(terminalLines(`Warning: ${message}`));
});

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

void runPartnerHiring({ argv, env: process.env, output, version }).then((code) => {
  if (code !== 0) process.exitCode = code;
});
