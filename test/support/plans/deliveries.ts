import type { EndpointSettlement, EvidenceBatch, Holding } from '@partner-hiring/core/ports';
import { FRESH_HEALTH } from '../../../packages/core/src/domain/endpoint.js';
import { byIndex, KEY, type PlannedQuery, range } from './planned-query.js';

const DELIVERY = { keyId: KEY, eventId: 'evt_1' } as const;
const HOLDING: Holding = { keyId: KEY, token: 't' };
const SETTLEMENT: EndpointSettlement = {
  ...HOLDING,
  state: { kind: 'active' },
  health: FRESH_HEALTH,
  watermark: 5,
  release: false,
};
const BATCH: EvidenceBatch = {
  keyId: KEY,
  kind: 'first_attempts',
  successes: [{ eventAt: 5, deliveredAt: 6, status: 200, latencyMs: 1, attempts: 1, cycle: 1 }],
};
const NAMES_OF_KEYS = ['ph_partner_key_pkey', 'ph_partner_pkey'] as const;

/** Indexes on failures have few rows, so PostgreSQL always prefers them. */
const FAILING = { unforced: 'in order' } as const;

/** Makes a sweep go on after it has found old rows. */
export function answerWithOld(sql: string): readonly unknown[] {
  return sql.startsWith('select') && sql.includes('"last_at" as "at"') ? [{ at: 5 }] : [];
}

/** Events and deliveries. */
const DELIVERIES: readonly PlannedQuery[] = [
  range(
    'the next events of a log',
    (r) => r.events.readLogs([{ keyId: KEY, after: 5, limit: 9 }]),
    'ph_event_pkey',
    'key_id=? AND at>?',
  ),
  range(
    'the newest events of a log',
    (r) => r.events.listNewest({ keyId: KEY, from: 1, before: 9, limit: 9 }),
    'ph_event_pkey',
    'key_id=? AND at>? AND at<?',
    { beside: ['ph_endpoint_pkey'], limit: 'joined' },
  ),
  range(
    'dead letters',
    (r) => r.deliveries.list({ keyId: null, state: 'dead', limit: 9 }),
    'ph_delivery_by_state',
    'state=? AND (event_at,event_id)<(?,?)',
  ),
  range(
    'dead letters of a key',
    (r) => r.deliveries.list({ keyId: KEY, state: 'dead', limit: 9 }),
    'ph_delivery_by_key_state',
    'key_id=? AND state=? AND (event_at,event_id)<(?,?)',
  ),
  range(
    'the newest attempts of a key',
    (r) => r.deliveries.listAttempts({ keyId: KEY, limit: 9 }),
    'ph_attempt_newest',
    'key_id=? AND ended_at>? AND (ended_at,event_id,number)<(?,?,?)',
  ),
  range(
    'waiting deliveries of a key',
    (r) => r.deliveries.listWaiting({ keyId: KEY, after: { dueAt: 5, eventAt: 5 }, limit: 9 }),
    'ph_delivery_due',
    'key_id=? AND (due_at,event_at)>(?,?)',
  ),
  range(
    'due deliveries',
    (r) => r.deliveries.listDue([{ keyId: KEY, limit: 9 }], 5),
    'ph_delivery_due',
    'key_id=? AND due_at<?',
    { beside: ['ph_event_pkey'], only: 'sqlite' },
  ),
  byIndex('due deliveries', (r) => r.deliveries.listDue([{ keyId: KEY, limit: 9 }], 5), { only: 'postgres' }),
  byIndex('very many due deliveries', (r) => r.deliveries.listDue([{ keyId: KEY, limit: 5_000 }], 5)),
  byIndex('deliveries by event', (r) => r.deliveries.find(KEY, ['evt_1']), { young: true }),
  byIndex('deliveries of many keys', (r) => r.deliveries.findEach([DELIVERY]), { young: true }),
  byIndex('the types of events', (r) => r.events.findTypes([DELIVERY])),
  byIndex('the attempts of a delivery', (r) => r.deliveries.findAttempts(KEY, 'evt_1')),
  byIndex('deliveries to bring forward', (r) => r.deliveries.bringForward(KEY, ['evt_1'], 5)),
  byIndex(
    'unsent events of all endpoints',
    (r) => r.events.listUnsent({ from: 0, before: { at: 9, id: '' }, limit: 9 }),
    { only: 'postgres' },
  ),
  byIndex('delivered rows', (r) => r.deliveries.sweep(5, 9)),
];

const ALERT = {
  id: 'alr_1',
  kind: 'endpoint_paused',
  keyId: KEY,
  origin: 'o',
  reason: 'gone',
  at: 5,
} as const;

/** Endpoints, and alerts about them. */
const ENDPOINTS: readonly PlannedQuery[] = [
  range('endpoints', (r) => r.endpoints.list({ after: KEY, limit: 9 }), 'ph_endpoint_pkey', 'key_id>?', {
    unforced: 'by index',
  }),
  ...[null, { pausedAt: 5, keyId: KEY }].map((after) =>
    range(
      `the ${after === null ? 'first' : 'next'} paused endpoints`,
      (r) => r.endpoints.listPaused({ after, limit: 9 }),
      'ph_endpoint_paused',
      '(paused_at,key_id)>(?,?)',
      FAILING,
    ),
  ),
  ...[{}, { after: { failingSince: 5, keyId: KEY } }].map((after) =>
    range(
      `the ${'after' in after ? 'next' : 'first'} failing endpoints`,
      (r) => r.endpoints.listFailing({ ...after, limit: 9 }),
      'ph_endpoint_failing',
      '(first_failure_at,key_id)>(?,?)',
      FAILING,
    ),
  ),
  ...(['sqlite', 'postgres'] as const).map((only) =>
    range(
      'the count of failing endpoints',
      (r) => r.endpoints.countFailing(9),
      'ph_endpoint_failing',
      only === 'sqlite' ? 'first_failure_at>?' : '',
      { ...FAILING, only },
    ),
  ),
  range('endpoints to warn of', (r) => r.endpoints.listToWarn(5, 9), 'ph_endpoint_warning', 'warn_at<?', {
    ...FAILING,
    filtered: ['state'],
  }),
  range('claiming alerts', (r) => r.alerts.claim({ token: 't', forMs: 9 }, 9), 'ph_alert_turn', '', {
    ...FAILING,
    beside: NAMES_OF_KEYS,
    filtered: ['lease_until'],
    limit: 'joined',
  }),
  // The index has no rows without `sent_at`, which SQLite also writes as a bound.
  ...(['sqlite', 'postgres'] as const).map((only) =>
    range(
      'sent alerts',
      (r) => r.alerts.listSent({ after: { sentAt: 5, id: 'alr_5' }, limit: 9 }),
      'ph_alert_sent',
      only === 'sqlite' ? 'sent_at>? AND (sent_at,id)<(?,?)' : '(sent_at,id)<(?,?)',
      { only },
    ),
  ),
  byIndex('old sent alerts', (r) => r.alerts.sweep(5, 9)),
  byIndex('settled alerts', (r) => r.alerts.settle(['alr_1', 'alr_2'], 't', ['alr_2']), { statements: 2 }),
  byIndex('alerts that nobody needs', (r) => r.alerts.drop(['alr_1'], 't')),
  byIndex('adding alerts', (r) => r.alerts.add([ALERT]), { statements: 2 }),
  byIndex('endpoints of many keys', (r) => r.endpoints.findEach([KEY])),
  byIndex('leased endpoints', (r) => r.endpoints.findLeased([HOLDING]), { statements: 2 }),
  byIndex('renewed leases', (r) => r.endpoints.renew([{ ...HOLDING, forMs: 9 }]), { statements: 2 }),
  byIndex('settled endpoints', (r) => r.endpoints.settle([SETTLEMENT])),
  byIndex('leases given back', (r) => r.endpoints.release([HOLDING])),
];

/** The evidence of delivered events. */
const EVIDENCE: readonly PlannedQuery[] = [
  byIndex('finding successes', (r) => r.evidence.find([{ keyId: KEY, at: 5 }]), {
    statements: 2,
    unforced: 'by index',
  }),
  byIndex('appending evidence', (r) => r.evidence.append([BATCH]), { unforced: 'by index' }),
  byIndex('sweeping evidence', (r) => r.evidence.sweep(9, 9), {
    statements: 2,
    answer: answerWithOld,
    unforced: 'by index',
  }),
];

/** Queries on events, deliveries, endpoints and evidence. */
export const QUERIES = [...DELIVERIES, ...ENDPOINTS, ...EVIDENCE];
