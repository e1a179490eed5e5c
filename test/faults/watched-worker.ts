import { appendFileSync } from 'node:fs';
import type { ResumeScanner, ResumeSink, Storage, WebhookTransport } from '@partner-hiring/core';
import type { Repositories } from '@partner-hiring/core/ports';
import { makeFeatures } from '@partner-hiring/test-support/worker-features';
import { noLogger } from '../../packages/core/src/defaults/redacting-logger.js';
import { createSafeTransport } from '../../packages/core/src/defaults/safe-transport.js';
import { createSystemRuntime } from '../../packages/core/src/defaults/system-runtime.js';
import { createResumeFolder } from '../../packages/core/src/features/resumes/defaults/resume-folder.js';
import { createResumeSource } from '../../packages/core/src/features/resumes/defaults/resume-source.js';
import { createStorageClock } from '../../packages/core/src/storage-clock.js';
import { createWorker, type Worker } from '../../packages/core/src/worker/worker.js';
import type { Doom, Note, Saved } from './doom.js';

type Parts = Pick<Storage<unknown>, 'direct' | 'transaction'>;

/** The receiver answers later than this. */
const IN_FLIGHT_AFTER_MS = 4;

/** A worker that logs its steps to a shared file, and ends or suspends its process at a given moment. */
export function createWatchedWorker(storage: Parts, doom: Doom): Worker {
  const system = createSystemRuntime();
  const clock = { ...system.clock, now: () => system.clock.now() + doom.clockAheadMs };
  let left = doom.nth;

  function note(fact: Omit<Note, 'pid' | 'at'>): void {
    const line: Note = { pid: process.pid, at: Date.now(), ...fact };
    appendFileSync(doom.notes, `${JSON.stringify(line)}\n`);
  }

  /** Ends or suspends this process when the moment occurs for the n-th time. */
  function pass(moment: Doom['moment']): void {
    if (moment !== doom.moment) return;
    left -= 1;
    if (left !== 0) return;
    note({ did: 'met' });
    process.kill(process.pid, doom.signal);
  }

  function watchPosts(transport: WebhookTransport): WebhookTransport {
    return {
      ...transport,
      async post(request) {
        const { id } = JSON.parse(request.body) as { id: string };
        note({ did: 'posting', id });
        pass('before_post');
        const posted = transport.post(request);
        setTimeout(pass, IN_FLIGHT_AFTER_MS, 'in_flight');
        const outcome = await posted;
        note({ did: 'posted', id });
        pass('after_post');
        return outcome;
      },
    };
  }

  function watchCommits(opened: Parts): Parts {
    let transactions = 0;
    return {
      direct: opened.direct,
      async transaction<T>(act: (tx: Repositories) => Promise<T>): Promise<T> {
        pass('before_settling');
        transactions += 1;
        const transaction = transactions;
        const result = await opened.transaction(async (tx) => {
          let saved: readonly Saved[] = [];
          const watermarks: Record<string, number> = {};
          const done = await act({
            ...tx,
            deliveries: {
              ...tx.deliveries,
              save: (rows) => {
                saved = rows.map(({ eventId, state, attempts }) => ({ id: eventId, state, attempts }));
                return tx.deliveries.save(rows);
              },
            },
            endpoints: {
              ...tx.endpoints,
              settle: (settlements) => {
                for (const { keyId, watermark } of settlements) watermarks[keyId] = watermark;
                return tx.endpoints.settle(settlements);
              },
            },
          });
          note({ did: 'committing', transaction, saved, watermarks });
          pass('before_commit');
          return done;
        });
        note({ did: 'committed', transaction });
        pass('after_commit');
        return result;
      },
    };
  }

  const watchedScanner: ResumeScanner = {
    async scan({ applicationId }) {
      note({ did: 'scanned', id: applicationId });
      pass('after_scan');
      return { kind: 'clean' };
    },
  };

  function watchStores(sink: ResumeSink): ResumeSink {
    return {
      async store(file) {
        const stored = await sink.store(file);
        note({ did: 'stored', id: file.applicationId });
        pass('after_store');
        return stored;
      },
    };
  }

  const network = { allowPrivateNetworks: true, allowPlainHttp: true };
  const parts = { storage: watchCommits(storage), runtime: { ...system, clock }, logger: noLogger };
  return createWorker({
    ...parts,
    features: makeFeatures(parts, {
      resumeSource: createResumeSource(network),
      resumeScanner: watchedScanner,
      resumeSink: watchStores(createResumeFolder(doom.folder)),
      alerts: { alert: async () => {} },
    }),
    storageClock: createStorageClock(storage.direct.time, clock),
    transport: watchPosts(createSafeTransport(network)),
    secretBox: { seal: (secret) => `sealed:${secret}`, open: (sealed) => sealed.slice('sealed:'.length) },
    options: { pollEveryMs: 100, leaseMs: doom.leaseMs },
  });
}
