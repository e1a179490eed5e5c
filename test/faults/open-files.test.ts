/** A process out of file descriptors counts no attempt as failed. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startRequestServer } from '@partner-hiring/test-support/network/raw-server';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('crowded-process.ts', import.meta.url));
/** Node takes about twenty, so only some of a hundred connections fit. */
const OPEN_FILES = 60;

it.each(['127.0.0.1', 'localhost'])(
  'fails no attempt when file descriptors run out: %s',
  async (host) => {
    const server = await startRequestServer(
      (socket) => void setTimeout(() => socket.write('HTTP/1.1 204 No Content\r\n\r\n'), 200),
    );
    const limited = `ulimit -n ${OPEN_FILES}; exec "$0" "$@"`;
    const program = [process.execPath, ...RUN_BUNDLED, PROGRAM, `http://${host}:${server.port}/`];
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', limited, ...program]);
    const { atOnce, inTurn } = JSON.parse(stdout) as Record<'atOnce' | 'inTurn', readonly string[]>;

    expect(new Set(atOnce)).toEqual(new Set(['answered', 'unavailable']));
    expect(new Set(inTurn)).toEqual(new Set(['answered']));
  },
  60_000,
);
