/** The standalone output of the Next example, alone in another folder, as in a container image. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { freePort } from './free-port.js';
import { createProject, type Running, run } from './project.js';
import { outsideExample } from './run-outside.js';
import { submit } from './submit.js';

const STAFF_TOKEN = randomBytes(32).toString('hex');
/** The user `nobody`. Root can write to every folder. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const CONFIG = 'const config: NextConfig = {';
const outer = mkdtempSync(join(tmpdir(), 'partner-hiring-standalone-'));
const app = join(outer, 'app');
const data = join(outer, 'data');

beforeAll(async () => {
  const { folder, remove } = await createProject([outsideExample('next')]);
  try {
    const config = readFileSync(join(folder, 'next.config.ts'), 'utf8');
    expect(config).toContain(CONFIG);
    writeFileSync(join(folder, 'next.config.ts'), config.replace(CONFIG, `${CONFIG} output: 'standalone',`));
    await run(['npm', 'exec', '--', 'next', 'build'], {
      cwd: folder,
      env: { NEXT_TELEMETRY_DISABLED: '1' },
    }).finish();
    // Next links packages by relative paths, which a plain copy would make absolute.
    renameSync(join(folder, '.next/standalone'), app);
    cpSync(join(folder, '.next/static'), join(app, '.next/static'), { recursive: true });
  } finally {
    remove();
  }
  mkdirSync(data);
  for (const [folder, mode] of [
    [outer, 0o755],
    [app, 0o555],
    [data, 0o777],
  ] as const)
    chmodSync(folder, mode);
});

afterAll(() => {
  chmodSync(app, 0o755);
  rmSync(outer, { recursive: true, force: true });
});

/** Starts the server as a user who cannot write its folder. */
async function serve(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly origin: string; readonly server: Running }> {
  const PORT = String(await freePort());
  const server = run([process.execPath, 'server.js'], {
    cwd: app,
    env: {
      PORT,
      HOSTNAME: '127.0.0.1',
      STAFF_TOKEN,
      DATABASE_FILE: join(data, 'platform.sqlite'),
      PARTNER_HIRING_SEALING_KEY: randomBytes(32).toString('base64'),
      ...env,
    },
    uid: isRoot ? NOBODY : undefined,
  });
  onTestFinished(() => server.stop());
  return { origin: `http://127.0.0.1:${PORT}`, server };
}

it('finds its migrations and its driver, and serves partners', async () => {
  const { origin, server } = await serve({ RESUME_FOLDER: join(data, 'resumes') });
  const [, key = ''] = await server.waitFor(/API key (\S+)/, 50_000);
  const api = `${origin}/api/v1/external`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  expect(await (await fetch(`${api}/jobs`, { headers })).json()).toMatchObject({
    data: [{ id: 'job_4711' }],
  });
  expect(await submit(api, headers)).toContain('ej_app_');
  const read = async (cookie: string) => (await fetch(origin, { headers: { cookie } })).text();
  await expect.poll(() => read(`staff=${STAFF_TOKEN}`), { timeout: 10_000 }).toContain('Ada Lovelace');
  expect(await read('staff=rosa')).not.toContain('Lovelace');
});

it('says at start that résumés cannot be stored in a read-only folder, and names the option', async () => {
  const { server } = await serve({});
  await server.waitFor(/Résumés cannot be stored in .*\n?.*`resumeSink`/, 50_000);
});
