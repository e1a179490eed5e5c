import type { Delivery, DeliveryEvidence, PartnerEvent } from '@partner-hiring/core';
import { expect, test } from 'vitest';
import { commandOf, openOperator } from './open-operator.js';

const EVENT: PartnerEvent = {
  id: 'evt_1',
  keyId: 'key_1',
  type: 'application.status_changed',
  at: 1_000,
  body: '{"id":"evt_1"}',
};
const DELIVERY: Delivery = {
  type: 'application.status_changed',
  evidence: null,
  pause: null,
  partnerId: 'ptn_1',
  partnerName: 'Acme ATS',
  keyLabel: 'Acme ATS (production)',
  keyId: 'key_1',
  eventId: 'evt_1',
  eventAt: 1_000,
  state: 'delivered',
  attempts: 1,
  cycle: 2,
  dueAt: null,
  pendingSince: 1_000,
  lastAttemptAt: null,
  lastOutcome: null,
  lastLatencyMs: null,
};
const success = (cycle: number, status: number): DeliveryEvidence => {
  return { deliveredAt: cycle * 60_000, status, latencyMs: 12, attempts: 1, cycle };
};

test('the operator command says when a delivery succeeded, and with which status', async () => {
  const { operator, seeded } = await openOperator();
  const { id: keyId } = seeded.production.key;
  const show = async (successes: readonly DeliveryEvidence[]) => {
    const details = { delivery: DELIVERY, event: EVENT, attempts: [], successes };
    const shown = {
      ...operator,
      deliveries: { ...operator.deliveries, find: async () => details },
    };
    const { command, input } = commandOf(['deliveries', 'show', keyId, 'evt_1']);
    const { text } = await command.run(shown, input);
    return text.slice(0, text.indexOf('\n\nNo recorded attempts.'));
  };
  expect(await show([success(1, 200), success(2, 202)])).toBe(
    `${EVENT.body}

delivered, 1 attempts in cycle 2
delivered 1970-01-01 00:01:00Z, HTTP 200, 12 ms, attempt 1
delivered 1970-01-01 00:02:00Z, HTTP 202, 12 ms, attempt 1`,
  );
  expect(await show([])).toContain('delivered by a release that recorded no evidence');
});
