/** `secrets reseal`: to another key, with workers that do not know it, and after a kill. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createSecretBox, type LocalSecretBox } from '@partner-hiring/core';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { expect, onTestFinished, test } from 'vitest';
import { openServer, SEALING_KEY } from './open-server.js';
import { runCli } from './run-cli.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NEW_KEY = 'fedcba9876543210'.repeat(4);
const OLD_ID = createSecretBox(SEALING_KEY).keyIds[0];
const NEW_ID = createSecretBox(NEW_KEY).keyIds[0];
const ENV = { PARTNER_HIRING_SEALING_KEY: `${NEW_KEY},${SEALING_KEY}` };

/** A server with the old key and so many endpoints, and the program with both keys. */
async function openStage(endpoints: number) {
  const { partnerHiring, storage, connection } = await openServer();
  const { partners, keys } = partnerHiring.operator;
  for (let count = 0; count < endpoints; count += 1) {
    const { id: partnerId } = await partners.create({ name: `Partner ${count}` });
    const endpointUrl = 'https://ats.example.org/webhooks';
    await keys.issue({ partnerId, environment: 'production', endpointUrl });
  }
  const cli = (...words: readonly string[]) => runCli([...connection, ...words], { env: ENV });
  return { storage, connection, cli };
}

test('secrets reseal names running workers that do not know the key, and seals only with --yes', async () => {
  const { storage, cli } = await openStage(2);
  const sealing = { keyIds: [OLD_ID], failingSince: null };
  await storage.direct.workers.beat({
    id: 'wkr_old',
    name: 'worker-old',
    pid: 4711,
    release: '0.1.0',
    deployment: null,
    lastSweepAt: null,
    sealing,
    sleepMs: null,
  });
  const found = await cli('secrets');
  expect(found.stdout).toBe(
    [
      `0 signing secrets are sealed with the key ${NEW_ID}, 2 with the key ${OLD_ID}.`,
      `1 running worker does not know the key ${NEW_ID}: worker-old (process 4711).`,
      'To seal the other 2 secrets anew, run `secrets reseal` when these workers know the key.',
    ].join('\n'),
  );
  expect(found.code).toBe(0);
  const refused = await cli('secrets', 'reseal');
  expect(refused).toMatchObject({ code: 1, stderr: '' });
  expect(refused.stdout).toMatch(/^Nothing was changed\. 1 running worker .*worker-old.*add --yes\.$/);
  const done = await cli('secrets', 'reseal', '--yes');
  expect(done).toEqual({ code: 0, stdout: 'Sealed anew: 2 secrets. Left under other keys: 0.', stderr: '' });
  expect((await cli('secrets', 'reseal')).stdout).toBe('Sealed anew: 0 secrets. Left under other keys: 0.');
});

test('secrets reseal that is killed half way is repeated, and then all secrets are sealed with the new key', async () => {
  const { storage, connection, cli } = await openStage(450);
  const secretsOf = async (box: LocalSecretBox) =>
    (await storage.direct.endpoints.list()).flatMap(({ keyId, secrets }) =>
      secrets.map(({ sealed }) => box.open(sealed, { purpose: 'webhook_signing_secret', keyId })),
    );
  const before = await secretsOf(createSecretBox(SEALING_KEY));
  const args = [...RUN_BUNDLED, 'packages/cli/src/cli.ts', ...connection, 'secrets', 'reseal'];
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...ENV } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stderr })) {
    expect(line).toBe('Sealed anew: 100 of 450.');
    child.kill('SIGKILL');
    break;
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
  const counts = JSON.parse((await cli('secrets', '--json')).stdout) as { readonly left: number };
  expect(counts.left).toBeGreaterThan(0);
  expect(counts.left % 100).toBe(50);
  const repeated = await cli('secrets', 'reseal');
  expect(repeated.stdout).toBe(`Sealed anew: ${counts.left} secrets. Left under other keys: 0.`);
  // Partners keep their secrets.
  expect(await secretsOf(createSecretBox(NEW_KEY))).toEqual(before);
}, 120_000);

test('secrets reseal names the endpoints whose key is lost', async () => {
  const { connection } = await openStage(1);
  const lost = await runCli([...connection, 'secrets'], { env: { PARTNER_HIRING_SEALING_KEY: NEW_KEY } });
  expect(lost.code).toBe(1);
  expect(lost.stderr).toContain('is not the key that encrypted the signing secrets');
});

test('a sealing key that is given twice or is short gets a message that names the fix', async () => {
  const { connection } = await openStage(0);
  for (const keys of [`${NEW_KEY},${NEW_KEY}`, `${NEW_KEY},short`]) {
    const run = await runCli([...connection, 'secrets'], { env: { PARTNER_HIRING_SEALING_KEY: keys } });
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(
      /PARTNER_HIRING_SEALING_KEY is not a sealing key.*both, the new one first, each once/,
    );
    expect(run.stderr).not.toContain(NEW_KEY);
  }
});
