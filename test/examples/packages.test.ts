import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { createApiServer } from '../../examples/server/api-server.js';
import { openExample } from './example-server-in-process.js';

test.each([
  ['127.0.0.1', /^npm install http:\/\/127\.0\.0\.1:\d+\/packages\/partner-hiring-webhook-verifier-/m],
  ['0.0.0.0', /^npm install @partner-hiring\/webhook-verifier/m],
])(
  'the guides of a server with tarballs on %s install from it only if that is loopback',
  async (host, command) => {
    const folder = join(temporaryFolder(), 'packages');
    await mkdir(folder);
    await writeFile(join(folder, 'partner-hiring-webhook-verifier-0.1.0.tgz'), '');
    const app = await createApiServer(await openExample(), null, folder);
    onTestFinished(() => app.close());
    await app.listen({ host, port: 0 });
    const { statusCode, body } = await app.inject('/partner-docs/webhooks.md');
    expect(statusCode).toBe(200);
    expect(body).toMatch(command);
  },
);
