import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const START_MS = 10_000;

/** Returns the version of the installed nginx, and throws with the fix if none is installed. */
export function readNginxVersion(): string {
  try {
    return execFileSync('sh', ['-c', `${NGINX} -v 2>&1`], { encoding: 'utf8' }).trim();
  } catch (cause) {
    throw new Error('nginx did not start. Install it with `apt-get install nginx`, or set NGINX_PATH.', {
      cause,
    });
  }
}

// Debian installs it where only root looks.
const NGINX = process.env.NGINX_PATH ?? 'PATH="$PATH:/usr/sbin" nginx';

/** Starts the installed nginx on a port of loopback, in the foreground. Returns what stops it. */
export async function startNginx(port: number, locations: string): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-hiring-nginx-'));
  await mkdir(join(folder, 'temp'));
  const config = join(folder, 'nginx.conf');
  await writeFile(config, configOf(folder, port, locations));
  const child = spawn('sh', ['-c', `exec env ${NGINX} -p "$1" -c "$2"`, 'nginx', folder, config], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const endWithUs = () => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-4_000);
  });
  const ended = once(child, 'close');
  const stop = async () => {
    process.off('exit', endWithUs);
    if (child.exitCode === null) child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const origin = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(origin).then(
      (response) => response.status === 404,
      () => false,
    );
  for (const deadline = performance.now() + START_MS; !(await answers()); await setTimeout(50)) {
    if (child.exitCode === null && performance.now() < deadline) continue;
    await stop();
    throw new Error(`nginx did not start:\n${log}`);
  }
  return stop;
}

function configOf(folder: string, port: number, locations: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temp/${name};`,
  );
  return `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr warn;
events {}
http {
  access_log off;
  ${temporary.join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    location / { return 404; }
${locations}
  }
}
`;
}
