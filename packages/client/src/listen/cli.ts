#!/usr/bin/env node
import { runListen } from './run-listen.js';

const stop = new AbortController();
// A second Ctrl+C ends the process at once.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());

void runListen({
  args: process.argv.slice(2),
  env: process.env,
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
  signal: stop.signal,
}).then((code) => {
  process.exitCode = code;
});
