/** Alerts are committed with their cause and sent until the host accepts them. */

import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { expect, it } from 'vitest';
import type { OperatorAlert } from '../../../packages/core/src/domain/alert.js';
import { MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { StorageUnavailable } from '../../../packages/core/src/errors.js';
import { openStage, until } from './stage.js';

const stage = perTest(openStage, ({ close }) => close());

async function alertDue(): Promise<void> {
  await stage.keyWithEvents();
  stage.transport.answerWith(() => answered(410));
}

it('sends an alert after a crash that followed the commit', async () => {
  await alertDue();
  const neverAnswers = stage.worker({ alerts: { alert: () => new Promise(() => {}) } });
  void neverAnswers.drain();
  await stage.clock.advance(1_000);
  expect(stage.alerts).toEqual([]);
  await stage.clock.advance(10 * MINUTE_MS);
  await stage.worker().drain();
  expect(stage.alerts).toMatchObject([{ kind: 'endpoint_paused', reason: 'gone' }]);
  await stage.clock.advance(60 * MINUTE_MS);
  await stage.worker().drain();
  expect(stage.alerts).toHaveLength(1);
});

it('repeats a refused alert later with the same id', async () => {
  await alertDue();
  const offered: OperatorAlert[] = [];
  const refusing = stage.worker({
    alerts: {
      alert(alert) {
        offered.push(alert);
        return Promise.reject(new Error('The pager is down.'));
      },
    },
  });
  await refusing.drain();
  expect(offered).toHaveLength(3);
  expect(stage.errors).toHaveLength(1);
  await stage.clock.advance(10 * MINUTE_MS);
  await stage.worker().drain();
  expect(stage.alerts).toEqual([offered[0]]);
});

it('passes an unchanged copy to each try', async () => {
  await alertDue();
  const ids: string[] = [];
  const worker = stage.worker({
    alerts: {
      async alert(alert) {
        ids.push(alert.id);
        Object.assign(alert, { id: 'theirs' });
        if (ids.length === 1) throw new Error('Once.');
      },
    },
  });
  const drained = worker.drain();
  await expect.poll(() => ids.length).toBe(2);
  await drained;
  expect(new Set(ids).size).toBe(1);
  await stage.clock.advance(60 * MINUTE_MS);
  await stage.worker().drain();
  expect(stage.alerts).toEqual([]);
});

it('retries a brief failure within the same poll', async () => {
  await alertDue();
  let calls = 0;
  const worker = stage.worker({
    alerts: {
      async alert(alert) {
        calls += 1;
        if (calls === 1) throw new Error('The pager is busy.');
        stage.alerts.push(alert);
      },
    },
  });
  await worker.drain();
  expect(stage.alerts).toHaveLength(1);
});

it.each([
  ['not recorded', false],
  ['recorded without a word', true],
])('does not repeat a sent alert whose record was %s at first', async (_, isDone) => {
  await alertDue();
  const { direct, transaction } = stage.storage;
  let failures = 0;
  const settle: typeof direct.alerts.settle = async (...asked) => {
    failures += 1;
    if (failures > 1) return direct.alerts.settle(...asked);
    if (isDone) await direct.alerts.settle(...asked);
    throw new StorageUnavailable('The connection was lost.');
  };
  const alerts = { ...direct.alerts, settle };
  await stage.worker({ storage: { direct: { ...direct, alerts }, transaction } }).drain();
  await stage.clock.advance(60 * MINUTE_MS);
  await stage.worker().drain();
  expect(stage.alerts).toHaveLength(1);
});

it('records nothing without alerts', async () => {
  const { direct, transaction } = stage.storage;
  let recorded = 0;
  const settle: typeof direct.alerts.settle = async (...asked) => {
    recorded += 1;
    return direct.alerts.settle(...asked);
  };
  const storage = { direct: { ...direct, alerts: { ...direct.alerts, settle } }, transaction };
  await stage.worker({ storage }).drain();
  expect(recorded).toBe(0);
  await alertDue();
  await stage.worker({ storage }).drain();
  expect([recorded, stage.alerts.length]).toEqual([1, 1]);
});

it('sends many alerts without waiting for polls', async () => {
  const keyId = await stage.key();
  const at = stage.clock.now();
  const flood = Array.from({ length: 40 }, (_, index) => {
    const [id, eventId] = [`alr_${index}`, `evt_${index}`] as const;
    return {
      id,
      kind: 'delivery_dead',
      keyId,
      origin: 'https://ats.example',
      eventId,
      attempts: 10,
      isFirstOfDay: false,
      at,
    } as const;
  });
  await stage.storage.direct.alerts.add(flood);
  stage.start();
  await until(() => stage.alerts.length === 40);
});

it('waits half a minute for each try of a host that never answers', async () => {
  await alertDue();
  let tries = 0;
  const alert = () => {
    tries += 1;
    return new Promise<never>(() => {});
  };
  void stage.worker({ alerts: { alert } }).drain();
  await until(() => tries === 1);
  await stage.clock.advance(30 * SECOND_MS - 1);
  expect(tries).toBe(1);
  await stage.clock.advance(1);
  await expect.poll(() => tries).toBe(2);
});
