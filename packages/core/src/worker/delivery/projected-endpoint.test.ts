import { describe, expect, it } from 'vitest';
import { type AttemptOutcome, newDelivery } from '../../domain/delivery.js';
import { type Endpoint, FRESH_HEALTH, PAUSE_AFTER_FAILURES } from '../../domain/endpoint.js';
import type { EndedAttempt } from '../settle.js';
import { projectEndpoint } from './projected-endpoint.js';

const NOW = 1_000_000;
const FORMER = 'https://former.example/hooks';
const OK: AttemptOutcome = { kind: 'answered', status: 204, excerpt: '' };
const ERROR: AttemptOutcome = { kind: 'answered', status: 500, excerpt: '' };
const GONE: AttemptOutcome = { kind: 'answered', status: 410, excerpt: '' };

const STORED: Endpoint = {
  keyId: 'key_1',
  url: 'https://partner.example/hooks',
  state: { kind: 'active' },
  health: FRESH_HEALTH,
  resumedAt: null,
  secrets: [
    { sealed: 'sealed:new', expiresAt: null },
    { sealed: 'sealed:old', expiresAt: NOW + 5 },
  ],
  createdAt: 0,
};

function ended(outcome: AttemptOutcome, url = STORED.url): EndedAttempt {
  const delivery = newDelivery({ keyId: 'key_1', id: 'evt_1', at: 1 }, NOW);
  return { delivery, hasRow: false, url, outcome, endedAt: NOW, latencyMs: 7, random: 0.5 };
}

describe('projectEndpoint', () => {
  it('pauses as soon as an attempt ends, unless it went to a former URL', () => {
    const endpoint = projectEndpoint(STORED);
    endpoint.ended(FORMER, ended(GONE));
    expect(endpoint.current()).toEqual(STORED);
    endpoint.ended(STORED.url, ended(GONE));
    expect(endpoint.current().state).toMatchObject({ kind: 'paused', reason: 'gone' });
  });

  it('applies unrecorded attempts to the stored endpoint', () => {
    const endpoint = projectEndpoint(STORED);
    const health = { ...FRESH_HEALTH, consecutiveFailures: PAUSE_AFTER_FAILURES - 1, firstFailureAt: NOW };
    endpoint.seen({ ...STORED, health }, [ended(GONE, FORMER)]);
    expect(endpoint.current()).toEqual({ ...STORED, health });
    endpoint.seen({ ...STORED, health }, [ended(ERROR)]);
    expect(endpoint.current().state).toMatchObject({ kind: 'paused', reason: 'consecutive_failures' });
    endpoint.seen({ ...STORED, health }, [ended(OK, FORMER)]);
    expect(endpoint.current().health).toEqual({ ...FRESH_HEALTH, lastSuccessAt: NOW });
  });

  it('compares attempts with the stored URL', () => {
    const endpoint = projectEndpoint({ ...STORED, url: FORMER });
    endpoint.seen(STORED, [ended(GONE, FORMER)]);
    expect(endpoint.current()).toEqual(STORED);
  });

  it('keeps its secret objects while the stored secrets are equal', () => {
    const endpoint = projectEndpoint(STORED);
    endpoint.seen(structuredClone(STORED), []);
    expect(endpoint.current().secrets).toBe(STORED.secrets);
  });

  const [current, old] = STORED.secrets as [Endpoint['secrets'][0], Endpoint['secrets'][0]];
  it.each([
    ['the first differs', [{ ...current, sealed: 'sealed:other' }, old]],
    ['the last differs', [current, { ...old, sealed: 'sealed:other' }]],
    ['one expires at another time', [current, { ...old, expiresAt: NOW }]],
    ['one was removed', [current]],
    ['one was added', [current, old, { ...old, sealed: 'sealed:older' }]],
  ])('uses the stored secrets when %s', (_, secrets) => {
    const endpoint = projectEndpoint(STORED);
    endpoint.seen({ ...STORED, secrets }, []);
    expect(endpoint.current().secrets).toEqual(secrets);
  });
});
