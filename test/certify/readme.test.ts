import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runSource } from '../examples/run-program.js';
import { temporaryFolder } from '../examples/temporary-folder.js';
import { RIGHT, SECRET, startReceiver } from './receiver.js';

const README = readFileSync(new URL('../../packages/certify/README.md', import.meta.url), 'utf8');
const [THROWS = '', PRINTS = ''] = [...README.matchAll(/```ts\n(.*?)```/gs)].map(([, program]) => program);

/** Runs a program of the README. */
async function run(program: string, env: Readonly<Record<string, string>> = {}) {
  const path = join(await temporaryFolder(), 'program.mts');
  await writeFile(path, program);
  return runSource(path, [], env);
}

test('the test against an address ends well for a right receiver, and throws what was found in another', async () => {
  const env = { WEBHOOK_SECRET: SECRET };
  const against = (url: string) => THROWS.replace('http://localhost:3001/webhooks', url);
  expect(await run(against(await startReceiver(RIGHT)), env)).toMatchObject({ code: 0, stderr: '' });
  const { code, stderr } = await run(against(await startReceiver({ ...RIGHT, verifies: false })), env);
  expect(stderr).toContain('It takes deliveries that the service never signed.');
  expect(code).toBe(1);
});

test('the test against a handler prints what its comment says', async () => {
  const { stdout } = await run(PRINTS);
  expect(PRINTS).toContain(`// ${stdout.trim()}`);
  expect(stdout).toContain('does_not_verify');
});
