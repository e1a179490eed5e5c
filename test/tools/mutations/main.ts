/**
 * Breaks places in the code, one at a time, and says whether `npm test` notices.
 * `npm run mutations -- --count 50 --seed 48`, and `--only 7,12` to repeat some of them.
 */
import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../architecture/sources.js';
import { copyCheckout } from '../matrix/copy-checkout.js';
import { inScratch } from '../matrix/in-scratch.js';
import { nearTests } from './near-tests.js';
import { allMutations, drawMutations, type Mutation } from './places.js';

/** Longer than `npm test` on a slow machine. A test run that hangs has noticed the mutation. */
const RUN_MS = 20 * 60_000;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '50' },
    seed: { type: 'string', default: '48' },
    only: { type: 'string' },
  },
});
const only = values.only?.split(',').map(Number);

await inScratch(async (scratch) => {
  const drawn = drawMutations(allMutations(), Number(values.count), Number(values.seed));
  const copy = await copyCheckout(join(scratch, 'checkout'));
  await symlinkPackages(copy);
  let noticed = 0;
  let tried = 0;
  for (const [index, mutation] of drawn.entries()) {
    const number = index + 1;
    if (only !== undefined && !only.includes(number)) continue;
    tried += 1;
    const by = await noticedBy(copy, mutation);
    if (by !== null) noticed += 1;
    console.log(`${number}\t${by === null ? 'MISSED' : 'noticed'}\t${describe(mutation)}\t${by ?? ''}`);
  }
  console.log(`${noticed} of ${tried} noticed, seed ${values.seed}`);
});

/** The first failing test, or null if all pass. */
async function noticedBy(copy: string, { file, start, end, after }: Mutation): Promise<string | null> {
  const path = join(copy, file);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.slice(0, start) + after + text.slice(end));
  try {
    for (const { project, tests } of nearTests(file)) {
      const failure = await failureOf(copy, ['--project', project, '--passWithNoTests', ...tests]);
      if (failure !== null) return failure;
    }
    return await failureOf(copy, []);
  } finally {
    await writeFile(path, text);
  }
}

function failureOf(copy: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const child = spawn('npx', ['vitest', 'run', '--bail=1', '--reporter=dot', ...args], {
      cwd: copy,
      timeout: RUN_MS,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', TESTS: 'often' },
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => {
        printed += part;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      const failed = /FAIL\s+(.+)/.exec(printed)?.[1] ?? `the run ended with ${code}`;
      resolve(code === 0 ? null : failed);
    });
  });
}

function describe({ file, line, before, after }: Mutation): string {
  return `${file}:${line}: ${shortened(before)} → ${shortened(after)}`;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/** Uses this checkout's packages, except those of the workspaces: their relative links lead into the copy. */
async function symlinkPackages(copy: string): Promise<void> {
  const names = await readdir(join(ROOT, 'node_modules'));
  await mkdir(join(copy, 'node_modules'));
  for (const name of names) {
    const [from, to] = [join(ROOT, 'node_modules', name), join(copy, 'node_modules', name)];
    if (name === '@partner-hiring') await cp(from, to, { recursive: true, verbatimSymlinks: true });
    else await symlink(from, to);
  }
}
