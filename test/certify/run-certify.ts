import { type Ended, runSource } from '../examples/run-program.js';

const UNSET = { WEBHOOK_SECRET: '', OLD_WEBHOOK_SECRET: '', NO_COLOR: '' };

/** Runs the command to its end. */
export function runCertify(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return runSource('packages/certify/src/cli.ts', args, { ...UNSET, ...env });
}
