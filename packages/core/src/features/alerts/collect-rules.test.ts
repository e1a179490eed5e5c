import { expect, it } from 'vitest';
import { type CollectedAlert, keySecretEndingAlert, secretRotatedAlert } from '../../domain/alert.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/time.js';
import { collectMessages } from './collect-rules.js';

const NOW = Date.UTC(2026, 10, 29, 9);

const rotated = (id: string, at: number) =>
  secretRotatedAlert(
    { keyId: 'key_1', url: 'https://ats.example/' },
    { id: `alr_${id}`, at, door: 'api', oldSecretsExpireAt: at },
  );
/** Each is sent half a day before its end. */
const ending = (id: string, endsAt: number) =>
  keySecretEndingAlert({ keyId: 'key_1', lastFour: 'wxyz' }, { id: `alr_${id}`, now: NOW, endsAt });

const isCollected = (alert: { readonly kind: string }): alert is CollectedAlert =>
  alert.kind === 'messages_collected';

it('collects alerts of one transaction and of later ones, and counts none twice', () => {
  const first = collectMessages([rotated('a', NOW), rotated('b', NOW + 1)], []);
  expect(first).toMatchObject([
    { id: 'alr_a' },
    { id: 'alr_b', isHeld: true },
    { id: 'alr_a_more', at: NOW + HOUR_MS, count: 1, since: NOW + 1, last: { id: 'alr_b' } },
  ]);
  expect(first[0]).not.toHaveProperty('isHeld');
  const next = collectMessages([rotated('c', NOW + 2), rotated('d', NOW + 3)], first.filter(isCollected));
  expect(next).toMatchObject([
    { isHeld: true },
    { isHeld: true },
    { id: 'alr_a_more', at: NOW + HOUR_MS, count: 3, since: NOW + 1, last: { id: 'alr_d' } },
  ]);
  expect(collectMessages([rotated('e', NOW + HOUR_MS)], next.filter(isCollected))).toMatchObject([
    { id: 'alr_e' },
    { id: 'alr_e_more', count: 0 },
  ]);
});

it('collects alerts that wait for their time by that time, in whatever order they are added', () => {
  const open = collectMessages([ending('late', NOW + 2 * DAY_MS)], []).filter(isCollected);
  const added = [ending('soon', NOW + DAY_MS), ending('next', NOW + 2 * DAY_MS + MINUTE_MS)];
  expect(collectMessages(added, open)).toMatchObject([
    { id: 'alr_soon' },
    { id: 'alr_next', isHeld: true },
    { id: 'alr_soon_more', count: 0 },
    { id: 'alr_late_more', count: 1, last: { id: 'alr_next' } },
  ]);
});
