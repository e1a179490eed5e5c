export { type CommandLineOptions, runCommandLine } from './run-command-line.js';
export type { CommandLineOutput, OpenedOperator } from './run-program.js';
