import { describe, expect, it, vi } from 'vitest';
import { assertUndici } from './undici.js';

describe('assertUndici', () => {
  it('accepts Node.js', () => {
    expect(() => assertUndici()).not.toThrow();
  });

  it('rejects Bun, which replaces undici, and says where to run the worker', () => {
    const message = expect.stringContaining('Run the worker in a Node.js process');
    expect(() => assertUndici({ ...process.versions, bun: '1.4.5' })).toThrow(
      expect.objectContaining({ code: 'MISCONFIGURED', message }),
    );
  });
});

it('loads undici before the first request goes out, and not while a transport is made', async () => {
  vi.resetModules();
  const { isUndiciLoaded } = await import('./undici.js');
  const { createSafeTransport } = await import('../safe-transport.js');
  const transport = createSafeTransport();
  expect(isUndiciLoaded()).toBe(false);
  const outcome = await transport.post({ url: 'https://127.0.0.1', headers: {}, body: '' });
  expect(outcome).toMatchObject({ kind: 'failed' });
  expect(isUndiciLoaded()).toBe(true);
  await transport.close();
});
