/** Which parts of the library run in the AsyncLocalStorage context of a host's request. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, submission } from '@partner-hiring/test-support/partner';
import { answered } from '@partner-hiring/test-support/transport';
import { afterEach, expect, it } from 'vitest';
import { SECOND_MS } from '../../../packages/core/src/domain/time.js';

let fixture: Fixture;
afterEach(() => fixture.close());

it('a worker belongs to no request, neither the one that started it nor those that wake it', async () => {
  const request = new AsyncLocalStorage<string>();
  const seen: (readonly [string, string | undefined])[] = [];
  const see = (what: string) => void seen.push([what, request.getStore()]);
  fixture = await createFixture({
    alerts: { alert: async () => see('alert') },
    resumeSource: {
      fetch: async () => {
        see('fetch');
        return { kind: 'fetched', bytes: new Uint8Array([37]), mediaType: 'text/plain', fileName: 'a.txt' };
      },
      close: async () => {},
    },
    resumeScanner: {
      scan: async () => {
        see('scan');
        return { kind: 'clean' };
      },
    },
    resumeSink: {
      store: async () => {
        see('store');
        return { location: 'memory' };
      },
    },
  });
  fixture.transport.answerWith(() => {
    see('attempt');
    return answered(410);
  });
  const { clock, operator, partnerHiring } = fixture;
  const partner = await createPartner(fixture);
  const { jobId } = await createEmployer(fixture, partner);

  request.run('starting', () => partnerHiring.worker.start());
  await clock.advance(SECOND_MS);
  const resumeUrl = 'https://files.example.org/ada.txt';
  await request.run('submitting', () => partner.submit(submission(jobId, { resumeUrl })));
  await request.run('closing', () => operator.jobs.close({ id: jobId }));
  request.run('nudging', () => partnerHiring.worker.wake());
  await clock.advance(2 * SECOND_MS);
  await partnerHiring.worker.stop();

  expect(new Set(seen.map(([what]) => what))).toEqual(
    new Set(['attempt', 'alert', 'fetch', 'scan', 'store']),
  );
  expect(seen.filter(([, owner]) => owner !== undefined)).toEqual([]);
});
