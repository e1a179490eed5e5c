import { expect, it, vi } from 'vitest';
import type { OperatorAlert } from '../domain/alert.js';
import { createLogAlerts } from './log-alerts.js';
import { noLogger } from './redacting-logger.js';

const PAUSED: OperatorAlert = {
  id: 'alr_1',
  kind: 'endpoint_paused',
  keyId: 'key_1',
  reason: 'gone',
  at: 1_000,
};

it('writes an alert as one line of level warn with its fields', async () => {
  const warn = vi.fn();
  await createLogAlerts({ warn }).alert(PAUSED);
  expect(warn).toHaveBeenCalledExactlyOnceWith({ alert: PAUSED }, expect.stringContaining('paused'));
});

it('rejects when the logger throws, so that the alert is handed over again', async () => {
  const broken = {
    warn: () => {
      throw new Error('full');
    },
  };
  await expect(createLogAlerts(broken).alert(PAUSED)).rejects.toThrow('full');
});

it('has a logger that says nothing', async () => {
  await expect(createLogAlerts(noLogger).alert(PAUSED)).resolves.toBeUndefined();
});
