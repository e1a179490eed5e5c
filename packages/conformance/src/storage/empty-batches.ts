import type { Repositories } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import { KEY_ID, T0 } from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

const TOKEN = 'mine';

const QUESTIONS: Readonly<Record<string, (all: Repositories) => Promise<unknown>>> = {
  'keys.findByHashes': ({ keys }) => keys.findByHashes([]),
  'companies.findForUpdate': ({ companies }) => companies.findForUpdate([]),
  'access.listOfCompanies': ({ access }) => access.listOfCompanies([]),
  'jobs.add': ({ jobs }) => jobs.add([]),
  'jobs.find': ({ jobs }) => jobs.find([]),
  'jobs.findForKeys': ({ jobs }) => jobs.findForKeys([]),
  'keyJobs.listOfJobs': ({ keyJobs }) => keyJobs.listOfJobs([]),
  'applications.findOwned': ({ applications }) => applications.findOwned([]),
  'applications.findBySourceIds': ({ applications }) => applications.findBySourceIds([]),
  'applications.find': ({ applications }) => applications.find([]),
  'applications.findForUpdate': ({ applications }) => applications.findForUpdate([]),
  'submissions.findRecords': ({ submissions }) => submissions.findRecords([]),
  'rateWindows.charge': ({ rateWindows }) => rateWindows.charge([]),
  'rateWindows.read': ({ rateWindows }) => rateWindows.read([]),
  'feed.take': ({ feed }) => feed.take([], T0),
  'feed.takeSoon': ({ feed }) => feed.takeSoon([], T0),
  'feed.takeFree': ({ feed }) => feed.takeFree([], T0),
  'events.readLogs': ({ events }) => events.readLogs([]),
  'events.find': ({ events }) => events.find(KEY_ID, []),
  'endpoints.findEach': ({ endpoints }) => endpoints.findEach([]),
  'endpoints.look': ({ endpoints }) => endpoints.poll([], T0),
  'endpoints.findLeased': ({ endpoints }) => endpoints.findLeased([]),
  'endpoints.renew': ({ endpoints }) => endpoints.renew([]),
  'deliveries.listDue': ({ deliveries }) => deliveries.listDue([], T0),
  'deliveries.findEach': ({ deliveries }) => deliveries.findEach([]),
  'deliveries.find': ({ deliveries }) => deliveries.find(KEY_ID, []),
};

const COMMANDS: Readonly<Record<string, (all: Repositories) => Promise<unknown>>> = {
  'keys.saveSecrets': ({ keys }) => keys.saveSecrets([]),
  'keys.touchSecrets': ({ keys }) => keys.touchSecrets([], T0),
  'jobs.save': ({ jobs }) => jobs.save([]),
  'keyJobs.save': ({ keyJobs }) => keyJobs.save([]),
  'applications.saveProgress': ({ applications }) => applications.saveProgress([]),
  'events.append': ({ events }) => events.append([]),
  'endpoints.settle': ({ endpoints }) => endpoints.settle([]),
  'endpoints.release': ({ endpoints }) => endpoints.release([]),
  'deliveries.save': ({ deliveries }) => deliveries.save([]),
  'alerts.add': ({ alerts }) => alerts.add([]),
  'alerts.settle': ({ alerts }) => alerts.settle([], TOKEN),
};

export function describeEmptyBatches<HostTx>(open: OpenStorage<HostTx>): void {
  describe('empty batches', () => {
    const opened = useStorage(open);

    it.each(Object.keys(QUESTIONS))('%s returns nothing', async (method) => {
      const ask = QUESTIONS[method];
      expect(await ask?.(opened.direct)).toEqual([]);
      expect(await opened.storage.transaction(async (tx) => ask?.(tx))).toEqual([]);
    });

    it.each(Object.keys(COMMANDS))('%s does nothing', async (method) => {
      const command = COMMANDS[method];
      expect(await command?.(opened.direct)).toBeUndefined();
      expect(await opened.storage.transaction(async (tx) => command?.(tx))).toBeUndefined();
    });

    it('endpoints.withEndpoint, submissions.add and chargeAndAdd', async () => {
      expect(await opened.direct.endpoints.withEndpoint([])).toEqual(new Set());
      expect(await opened.direct.submissions.add([])).toBe('added');
      expect(await opened.direct.submissions.chargeAndAdd([], [])).toEqual([]);
    });
  });
}
