/**
 * Replaces npm for the commands of pages. `install` only checks that the packages exist here. Scripts that run elsewhere only
 * have to exist. Other scripts run.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Scripts that run elsewhere, and where. */
const ELSEWHERE = {
  test: 'this is part of it',
  typecheck: '.ci/run',
  lint: '.ci/run',
  format: 'lint, in .ci/run, without writing',
  build: '.ci/run',
  pack: 'by hand; test/architecture/install-line.test.ts checks what it prints',
  'check:packages': '.ci/run',
  openapi: 'test/openapi/document.test.ts, without writing',
  'lint:openapi': 'test/openapi/tools/lint.test.ts',
  demo: 'test/examples/demo.test.ts',
  platform: 'test/examples/platform.test.ts',
  bench: '.ci/run, at a small size',
  faults: 'test/faults, at a small size',
  'test:node': 'by hand, for it installs another Node',
  'test:fetch-runtimes': 'by hand, for it installs other runtimes',
  'test:postgres': 'by hand, for it installs another PostgreSQL',
};

function readJson(path) {
  return JSON.parse(readFileSync(`${root}${path}`, 'utf8'));
}

function fail(message) {
  console.error(`npm of the pages: ${message}`);
  process.exit(1);
}

/** Our packages must be published, and others installed here. */
function checkInstallable(given) {
  const name = given.replace(/(?<=.)@.*$/, '');
  const ours = /^@partner-hiring\/(.*)$/.exec(name)?.[1];
  if (ours === undefined) {
    if (!existsSync(`${root}node_modules/${name}/package.json`)) fail(`${name} is not installed here.`);
  } else if (
    !existsSync(`${root}packages/${ours}/package.json`) ||
    readJson(`packages/${ours}/package.json`).private
  ) {
    fail(`${name} is not published.`);
  }
}

function runScript(name, args) {
  const script = readJson('package.json').scripts[name];
  if (script === undefined) fail(`package.json has no script "${name}".`);
  if (name in ELSEWHERE) return;
  const PATH = `${root}node_modules/.bin:${process.env.PATH}`;
  const child = spawn('sh', ['-c', `exec ${script} "$@"`, 'sh', ...args], {
    cwd: root,
    env: { ...process.env, PATH },
    stdio: 'inherit',
  });
  child.on('exit', (code) => process.exit(code ?? 1));
}

const [command = '', ...words] = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith('-'));
if (command === 'install') names.forEach(checkInstallable);
else if (command === 'ci') readJson('package-lock.json');
else if (command === 'start' || command === 'test') runScript(command, words);
else if (command === 'run') runScript(names[0] ?? '', words.slice(words.indexOf('--') + 1 || words.length));
else fail(`no page calls npm ${command}.`);
