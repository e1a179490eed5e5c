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
  'names.ofKeys': ({ names }) => names.ofKeys([]),
  'names.ofCompanies': ({ names }) => names.ofCompanies([]),
  'names.ofJobs': ({ names }) => names.ofJobs([]),
  'keys.listSecretsEach': ({ keys }) => keys.listSecretsEach([]),
  'submissions.findRecords': ({ submissions }) => submissions.findRecords([]),
  'rateWindows.charge': ({ rateWindows }) => rateWindows.charge([]),
  'rateWindows.read': ({ rateWindows }) => rateWindows.read([]),
  'feed.take': ({ feed }) => feed.take([], T0),
  'feed.takeSoon': ({ feed }) => feed.takeSoon([], T0),
  'feed.takeFree': ({ feed }) => feed.takeFree([], T0),
  'events.readLogs': ({ events }) => events.readLogs([]),
  'events.find': ({ events }) => events.find(KEY_ID, []),
  'events.findTypes': ({ events }) => events.findTypes([]),
  'endpoints.findEach': ({ endpoints }) => endpoints.findEach([]),
  'endpoints.look': ({ endpoints }) => endpoints.poll([], T0),
  'endpoints.findLeased': ({ endpoints }) => endpoints.findLeased([]),
  'endpoints.renew': ({ endpoints }) => endpoints.renew([]),
  'endpoints.backlogsOf': ({ endpoints }) => endpoints.backlogsOf([], T0, 9),
  'deliveries.listDue': ({ deliveries }) => deliveries.listDue([], T0),
  'deliveries.findEach': ({ deliveries }) => deliveries.findEach([]),
  'evidence.find': ({ evidence }) => evidence.find([]),
  'candidates.findRecords': ({ candidates }) => candidates.findRecords([]),
  'candidates.findEvents': ({ candidates }) => candidates.findEvents([]),
  'candidates.findResumeFiles': ({ candidates }) => candidates.findResumeFiles([]),
  'candidates.listPostponed': ({ candidates }) => candidates.listPostponed([]),
  'candidates.cancelResumeFiles': ({ candidates }) => candidates.cancelResumeFiles([]),
  'resumeRemovals.find': ({ resumeRemovals }) => resumeRemovals.find([]),
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
  'endpoints.saveWarnings': ({ endpoints }) => endpoints.saveWarnings([]),
  'endpoints.release': ({ endpoints }) => endpoints.release([]),
  'deliveries.save': ({ deliveries }) => deliveries.save([]),
  'hourCounts.add': ({ hourCounts }) => hourCounts.add([]),
  'deliveries.bringForward': ({ deliveries }) => deliveries.bringForward(KEY_ID, [], T0),
  'evidence.append': ({ evidence }) => evidence.append([]),
  'alerts.add': ({ alerts }) => alerts.add([]),
  'candidates.clearSourceIds': ({ candidates }) => candidates.clearSourceIds([]),
  'candidates.saveReplies': ({ candidates }) => candidates.saveReplies([]),
  'candidates.saveBodies': ({ candidates }) => candidates.saveBodies([]),
  'resumeRemovals.add': ({ resumeRemovals }) => resumeRemovals.add([]),
  'resumeRemovals.finish': ({ resumeRemovals }) => resumeRemovals.finish([], TOKEN),
  'resumeRemovals.postpone': ({ resumeRemovals }) => resumeRemovals.postpone([], TOKEN),
  'audit.add': ({ audit }) => audit.add([]),
  'requests.add': ({ requests }) => requests.add([]),
  'requests.addReads': ({ requests }) => requests.addReads([]),
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
