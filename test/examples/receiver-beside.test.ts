import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startReceiverBeside } from '../../examples/server/receiver-beside.js';
import { readSettings } from '../../examples/server/settings.js';

test('a receiver without signing secrets says so at each delivery, and what to do', async () => {
  const DATABASE_FILE = join(temporaryFolder(), 'x.sqlite');
  const said = vi.spyOn(console, 'log').mockImplementation(() => {});
  const { app, url } = await startReceiverBeside(readSettings({ DATABASE_FILE, RECEIVER_PORT: '0' }));
  onTestFinished(() => app.close());
  const headers = { 'Content-Type': 'application/json' };
  expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(500);
  expect(said).toHaveBeenCalledOnce();
  expect(said.mock.lastCall?.[0]).toMatch(/x\.sqlite\.receiver holds no signing secret\. .* rotate-secret/);
});
