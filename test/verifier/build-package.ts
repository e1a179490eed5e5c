import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The tested package. */
export const PACKAGE = fileURLToPath(new URL('../../packages/webhook-verifier/', import.meta.url));

/** Builds the package without its types; keeps types of an earlier build. */
export function buildPackage(): void {
  const env = { ...process.env, TYPES: 'off' };
  execFileSync('npm', ['run', 'build', '--silent'], {
    cwd: PACKAGE,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
