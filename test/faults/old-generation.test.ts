/** A minor collection frees the memory of an attempt. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startRawServer } from '@partner-hiring/test-support/network/raw-server';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { expect, it } from 'vitest';

const POSTING = fileURLToPath(new URL('posting-process.ts', import.meta.url));
const RECORDING = fileURLToPath(new URL('recording-process.ts', import.meta.url));
/** Without optimization and full collections, each run has the same result. */
const OPTIONS = [...RUN_BUNDLED, '--expose-gc', '--no-opt', '--initial-old-space-size=256'];
/** Up to 200 are usual. A leaked exchange has 1,500. */
const MAX_BYTES_EACH = 500;
/** 164 are usual. A map that keeps its removed events has 464. */
const MAX_BYTES_OF_RECORDS = 300;

it('promotes nothing of an attempt to the old generation', async () => {
  const server = await startRawServer((socket) =>
    socket.on('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n')),
  );
  expect(await bytesEach(POSTING, server.url)).toBeLessThan(MAX_BYTES_EACH);
});

it('promotes no event of a recorded attempt to the old generation', async () => {
  expect(await bytesEach(RECORDING)).toBeLessThan(MAX_BYTES_OF_RECORDS);
});

async function bytesEach(program: string, ...args: readonly string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [...OPTIONS, program, ...args]);
  expect(stdout).toMatch(/^-?\d+\n$/);
  return Number(stdout);
}
