/** A minor collection frees the memory of an attempt. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startRawServer } from '@partner-hiring/test-support/network/raw-server';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('posting-process.ts', import.meta.url));
/** Without optimization and full collections, each run has the same result. */
const OPTIONS = [...RUN_BUNDLED, '--expose-gc', '--no-opt', '--initial-old-space-size=256'];
/** Up to 200 are usual. A leaked exchange has 1,500. */
const MAX_BYTES_EACH = 500;

it('promotes nothing of an attempt to the old generation', async () => {
  const server = await startRawServer((socket) =>
    socket.on('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n')),
  );
  const { stdout } = await promisify(execFile)(process.execPath, [...OPTIONS, PROGRAM, server.url]);
  expect(stdout).toMatch(/^-?\d+\n$/);
  expect(Number(stdout)).toBeLessThan(MAX_BYTES_EACH);
});
