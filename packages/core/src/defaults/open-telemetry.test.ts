import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createOpenTelemetry, VERSION } from './open-telemetry.js';

it('names the version of the package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(VERSION).toBe(manifest.version);
});

it('does the work and nothing else where the host has no SDK', async () => {
  const telemetry = createOpenTelemetry();
  telemetry.counter({ name: 'a', unit: '1', description: '' })(1, {});
  telemetry.histogram({ name: 'b', unit: 's', description: '', buckets: [1] })(1, { of: 'a' });
  const read = () => Promise.reject(new Error('Nobody collects.'));
  telemetry.observe([{ name: 'c', unit: '1', description: '' }], read)();
  const span = telemetry.startSpan('d', 'server', {});
  expect(span.isRecorded).toBe(false);
  await expect(span.run(async () => 'done')).resolves.toBe('done');
  span.fail('e');
  span.end();
});
