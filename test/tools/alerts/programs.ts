import { execFileSync, spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';

/** A program that npm does not bring, and the package of Debian that has it. */
export interface DebianProgram {
  readonly name: string;
  readonly package: string;
}

/** What checks and evaluates the files of `examples/operations/prometheus`. */
export const ALERT_PROGRAMS: readonly DebianProgram[] = [
  { name: 'prometheus', package: 'prometheus' },
  { name: 'promtool', package: 'prometheus' },
  { name: 'amtool', package: 'prometheus-alertmanager' },
];

/** Installs the packages of missing programs. @throws Error with the command if only an administrator can install them. */
export function installMissing(programs: readonly DebianProgram[]): void {
  const missing = programs.filter(({ name }) => !isInstalled(name)).map((program) => program.package);
  if (missing.length === 0) return;
  const packages = [...new Set(missing)];
  if (userInfo().uid !== 0 || !isInstalled('apt-get')) {
    throw new Error(`Some programs are missing. Run: apt-get install ${packages.join(' ')}`);
  }
  const options = [
    'install',
    '--yes',
    '--no-install-recommends',
    '-o',
    'DPkg::Lock::Timeout=300',
    ...packages,
  ];
  // The packages would start their services, which this machine does not need.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  execFileSync('apt-get', ['update'], { stdio: 'inherit', env });
  execFileSync('apt-get', options, { stdio: 'inherit', env });
}

function isInstalled(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
}

/** Runs a program that must succeed, in a folder. @throws Error with its output. */
export function runDebianProgram(folder: string, name: string, ...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(name, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (status !== 0) throw new Error(`${name} ${args.join(' ')} exited with ${status}:\n${stdout}${stderr}`);
}
