import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The package whose built files are tested. */
export const PACKAGE = fileURLToPath(new URL('../../packages/webhook-verifier/', import.meta.url));

/** Builds it as it is published, without its types. Those of a build before are left. */
export function buildPackage(): void {
  const env = { ...process.env, TYPES: 'off' };
  execFileSync('npm', ['run', 'build', '--silent'], {
    cwd: PACKAGE,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
