import type { Repositories } from '@partner-hiring/core/ports';

/** A query on failing endpoints, and the index of which it reads one range. */
export type FailingQuery = readonly [name: string, index: string, run: (r: Repositories) => Promise<unknown>];

/** The queries on failing endpoints, which must not read the healthy ones. */
export const FAILING_QUERIES: readonly FailingQuery[] = [
  ['the first page', 'ph_endpoint_failing', (r) => r.endpoints.listFailing({ limit: 9 })],
  [
    'a later page',
    'ph_endpoint_failing',
    (r) => r.endpoints.listFailing({ after: { failingSince: 5, keyId: 'key_1' }, limit: 9 }),
  ],
  ['the count', 'ph_endpoint_failing', (r) => r.endpoints.countFailing(9)],
  ['the search for warnings', 'ph_endpoint_warning', (r) => r.endpoints.listToWarn(5, 9)],
  ['claiming alerts', 'ph_alert_turn', (r) => r.alerts.claim({ token: 't', forMs: 9 }, 9)],
];
