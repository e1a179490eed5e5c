import type { CommandName } from '@partner-hiring/core';

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
  ...([
    'companies.list',
    'companies.create',
    'companies.createMissing',
    'companies.rename',
    'companies.resolve',
  ] as const),
  ...(['endpoints.list', 'endpoints.listFailing'] as const),
  ...(['inbox.list', 'inbox.retry', 'inbox.status', 'inbox.turn'] as const),
  ...(['jobs.archive', 'jobs.close', 'jobs.markInternalOnly', 'jobs.markPublic', 'jobs.reopen'] as const),
  ...(['jobs.archiveMany', 'jobs.closeAll', 'jobs.closeMany', 'jobs.reopenMany'] as const),
  ...(['jobs.unarchive', 'jobs.visibility'] as const),
  ...(['jobs.applyHeldSync', 'jobs.lastSync', 'jobs.syncSoon'] as const),
  ...(['operations.find', 'operations.list', 'operations.stop'] as const),
  ...(['partners.create', 'partners.list', 'requests.find'] as const),
  ...([
    'partners.onboard',
    'partners.rename',
    'partners.setContact',
    'partners.disable',
    'partners.enable',
    'partners.remove',
  ] as const),
  ...(['deployment.find', 'secrets.find', 'system.overview', 'system.status'] as const),
];
