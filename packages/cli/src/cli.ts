#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { runPartnerHiring } from './partner-hiring-program.js';
import { terminalLines } from './report/terminal-text.js';
import { createStandardOutput } from './standard-output.js';

const argv = process.argv.slice(2);
const output = createStandardOutput();

// The server prints the same warnings when it starts. `doctor` reports what they are about.
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
