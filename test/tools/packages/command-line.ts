/** Runs the packed program `partner-hiring` by `npx`, its commands in this process, and the console that it serves. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from '@partner-hiring/cli';
import { createPartnerHiring } from '@partner-hiring/core';
import { createSqliteStorage } from '@partner-hiring/sqlite';

interface Ended {
  readonly code: number | null;
  readonly printed: string;
}

/** Runs the installed program. */
function partnerHiring(...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child: ChildProcess = execFile(
      'npx',
      ['--no', '--', 'partner-hiring', ...args],
      (_error, stdout, stderr) => resolve({ code: child.exitCode, printed: stdout + stderr }),
    );
  });
}

function expectEnd({ code, printed }: Ended, expected: number, text: string): void {
  if (code === expected && printed.includes(text)) return;
  throw new Error(`partner-hiring exited with ${code}, and printed: ${printed}`);
}

/** Starts the console, presses the button of its link, and stops it. Returns what the overview contains. */
async function visitConsole(file: string): Promise<string> {
  const program = join('node_modules', '@partner-hiring', 'cli', 'dist', 'cli.js');
  const child = spawn(process.execPath, [program, 'console', '--database', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    if (printed.includes('Ctrl-C')) break;
  }
  const link = /http:\S+/.exec(printed)?.[0];
  if (link === undefined) throw new Error(`The console printed no link: ${printed}`);
  const { origin } = new URL(link);
  const form = { origin, 'content-type': 'application/x-www-form-urlencoded' };
  const pressed = await fetch(link, { method: 'POST', headers: form, redirect: 'manual' });
  const cookie = pressed.headers.get('set-cookie')?.split(';')[0] ?? '';
  const overview = new URL(pressed.headers.get('location') ?? '/', origin);
  const page = await (await fetch(overview, { headers: { cookie } })).text();
  child.kill('SIGTERM');
  const [code] = await exit;
  if (code !== 0) throw new Error(`The console exited with ${code}.`);
  return page;
}

async function main(folder: string): Promise<string> {
  const file = join(folder, 'partner-hiring.sqlite');
  expectEnd(await partnerHiring('--database', file, 'keys', 'list'), 1, 'does not exist');
  const added: string[] = [];
  const code = await runCommandLine({
    argv: ['partners', 'create', 'Acme ATS'],
    open: async () =>
      createPartnerHiring({
        storage: await createSqliteStorage({ file }),
        secretKey: '0123456789abcdef'.repeat(4),
      }),
    output: { out: (text) => void added.push(text), error: (text) => void added.push(text) },
  });
  if (code !== 0) throw new Error(`runCommandLine resolved to ${code}: ${added.join()}`);
  expectEnd(await partnerHiring('--database', file, 'keys', 'list'), 0, 'No keys. Issue one');
  expectEnd(await partnerHiring('--database', file, 'partners', '--json'), 0, '"name": "Acme ATS"');
  expectEnd(await partnerHiring('--database', file, 'kyes'), 2, 'Unknown command "kyes"');
  const { code: unreachable, printed } = await partnerHiring(
    'jobs',
    '--database',
    'postgres://u:hunter2@127.0.0.1:1/x',
  );
  if (
    unreachable !== 1 ||
    !printed.startsWith('Cannot connect to the PostgreSQL') ||
    printed.includes('hunter2')
  ) {
    throw new Error(`Without a server, partner-hiring exited with ${unreachable}, and printed: ${printed}`);
  }
  if (!(await visitConsole(file)).includes('<h1>Overview</h1>')) {
    throw new Error('partner-hiring console does not show the overview.');
  }
  return 'npx partner-hiring exits with 0, 1 and 2, and serves the console';
}

const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-cli-'));
main(folder)
  .then(
    (story) => console.log(`    ${story}`),
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    },
  )
  .finally(() => rmSync(folder, { recursive: true, force: true }));
