import type { ProgramProcess } from '../../packages/cli/src/partner-hiring-program.js';
import { runPartnerHiring } from '../../packages/cli/src/partner-hiring-program.js';

/** How a run of the program ended. */
export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program `partner-hiring` in this process. */
export async function runCli(
  argv: readonly string[],
  { env = {}, ...more }: Partial<Pick<ProgramProcess, 'env' | 'packages'>> = {},
): Promise<CliRun> {
  const printed = { out: [] as string[], error: [] as string[] };
  const code = await runPartnerHiring({
    argv,
    env,
    version: '1.2.3',
    output: { out: (text) => void printed.out.push(text), error: (text) => void printed.error.push(text) },
    ...more,
  });
  return { code, stdout: printed.out.join('\n'), stderr: printed.error.join('\n') };
}
