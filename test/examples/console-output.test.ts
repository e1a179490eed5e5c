import { expect, test, vi } from 'vitest';
import { consoleAlerts, consoleLogger } from '../../examples/server/console-output.js';

test('the lines of the library steer no terminal', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  const text = '\u001b[2J\u009b2J\u202e';
  consoleLogger.warn({ text }, 'A warning.');
  consoleLogger.error({ err: { name: 'Error', message: text } }, 'An error.');
  await consoleAlerts.alert({
    id: 'alr_1',
    kind: 'endpoint_paused',
    ...{
      origin: 'https://ats.example',
      partnerId: 'ptn_1',
      partnerName: 'Acme ATS',
      environment: 'production',
    },
    keyId: `key_${text}`,
    reason: 'gone',
    at: 0,
  });
  expect(said).toHaveBeenCalledTimes(3);
  for (const [line] of said.mock.calls) expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
});
