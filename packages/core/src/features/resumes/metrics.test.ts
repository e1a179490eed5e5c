import { createRecordingTelemetry } from '@partner-hiring/test-support/telemetry';
import { describe, expect, it } from 'vitest';
import type { ResumeSource } from '../../ports/resumes.js';
import { observeResumeSource } from './metrics.js';

const URL = 'https://ada.test/cv.pdf';

/** The telemetry of a download of half a second. */
async function observe(fetch: ResumeSource['fetch']) {
  const telemetry = createRecordingTelemetry();
  const source: ResumeSource = {
    fetch: async (url) => {
      telemetry.pass(0.5);
      return fetch(url);
    },
    close: async () => {},
  };
  const found = await observeResumeSource(source, telemetry)
    .fetch(URL)
    .catch((error: unknown) => error);
  return { ...telemetry, found };
}

describe('a résumé download', () => {
  it.each([
    [{ kind: 'failed', reason: 'empty', retryable: false }, 'empty', 'empty'],
    [
      { kind: 'fetched', bytes: new Uint8Array(), mediaType: 'application/pdf', fileName: 'a' },
      'fetched',
      null,
    ],
  ] as const)('is returned, measured and traced: %j', async (download, outcome, failure) => {
    const { measured, spans, found } = await observe(async () => download);
    expect(found).toBe(download);
    const attributes = { 'partner_hiring.resume.outcome': outcome };
    expect(measured).toEqual([
      { name: 'partner_hiring.resume.fetch.duration', unit: 's', value: 0.5, attributes },
    ]);
    expect(spans).toEqual([
      {
        name: 'partner_hiring.resume.fetch',
        kind: 'client',
        attributes: { 'http.request.method': 'GET', ...attributes },
        failure,
        isEnded: true,
      },
    ]);
  });

  it('is recorded if the source rejects, and rejects', async () => {
    const broken = new Error('The source is broken.');
    const { measured, spans, found } = await observe(() => Promise.reject(broken));
    expect(found).toBe(broken);
    expect(measured).toMatchObject([
      { value: 0.5, attributes: { 'partner_hiring.resume.outcome': 'not_fetched' } },
    ]);
    expect(spans).toMatchObject([{ failure: 'not_fetched', isEnded: true }]);
  });

  it('ends with its source', async () => {
    let isClosed = false;
    const close = async () => {
      isClosed = true;
    };
    const source = { fetch: () => Promise.reject(new Error()), close };
    await observeResumeSource(source, createRecordingTelemetry()).close();
    expect(isClosed).toBe(true);
  });
});
