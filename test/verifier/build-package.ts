import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The tested package. */
export const PACKAGE = fileURLToPath(new URL('../../packages/webhook-verifier/', import.meta.url));

/** Builds the package without its types; keeps types of an earlier build. */
export function buildPackage(): void {
  execFileSync('npm', ['run', '--silent', 'build:js', '--', 'webhook-verifier'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
