import { type CommandName, OperatorError } from '@partner-hiring/core';

/** Whether an outcome is that of an object that does not exist, or that belongs to no single partner. */
export function isAsUnknown(outcome: unknown): boolean {
  if (!(outcome instanceof OperatorError)) return outcome === null;
  return outcome.code === 'NEEDS_ALL_PARTNERS' || outcome.code.endsWith('_NOT_FOUND');
}

/** What belongs to no single partner, with the inputs of `INPUTS`. */
export const FOR_ALL_PARTNERS: readonly CommandName[] = [
  ...([
    'applications.count',
    'applications.list',
    'audit.list',
    'audit.find',
    'candidates.eraseMany',
    'candidates.export',
  ] as const),
  ...(['companies.list', 'companies.create', 'companies.rename'] as const),
  ...(['endpoints.list', 'inbox.list', 'inbox.retry', 'inbox.turn'] as const),
  ...(['jobs.archive', 'jobs.close', 'jobs.closeAll', 'jobs.reopen', 'jobs.setVisibility'] as const),
  ...(['jobs.syncs.last', 'jobs.syncs.request'] as const),
  ...(['operations.find', 'operations.list', 'operations.stop'] as const),
  ...(['partners.create', 'partners.list', 'requests.find'] as const),
  ...(['partners.update', 'partners.remove'] as const),
  ...(['alerts.listSent', 'alerts.open', 'jobs.listHeld'] as const),
  'system.status',
];
