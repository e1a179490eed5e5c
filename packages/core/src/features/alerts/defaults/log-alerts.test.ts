import { expect, it, vi } from 'vitest';
import { noLogger } from '../../../defaults/redacting-logger.js';
import type { OperatorAlert } from '../../../domain/alert.js';
import { createLogAlerts } from './log-alerts.js';

const PAUSED: OperatorAlert = {
  id: 'alr_1',
  kind: 'endpoint_paused',
  origin: 'https://ats.example',
  partnerId: 'ptn_1',
  partnerName: 'Acme ATS',
  environment: 'production',
  keyId: 'key_1',
  reason: 'gone',
  at: 1_000,
};

it('logs an alert as one line at level warn', async () => {
  const warn = vi.fn();
  await createLogAlerts({ warn }).alert(PAUSED);
  expect(warn).toHaveBeenCalledExactlyOnceWith({ alert: PAUSED }, expect.stringContaining('paused'));
});

it('rejects if the logger throws, so that the alert is retried', async () => {
  const broken = {
    warn: () => {
      throw new Error('full');
    },
  };
  await expect(createLogAlerts(broken).alert(PAUSED)).rejects.toThrow('full');
});

it('works with a silent logger', async () => {
  await expect(createLogAlerts(noLogger).alert(PAUSED)).resolves.toBeUndefined();
});
