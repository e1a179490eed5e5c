import { all, BASE, clientOf, KEY, reply } from '@partner-hiring/test-support/client/scripted-client';
import { describe, expect, test } from 'vitest';
import { readOptions } from './client-options.js';
import type { ClientOptions, Fetch } from './index.js';

describe('options', () => {
  test.each<[string, Partial<ClientOptions>]>([
    ['baseUrl must be an http(s) URL', { baseUrl: 'api.example.org' }],
    ['baseUrl is plain http', { baseUrl: 'http://api.example.org/api' }],
    ['allowInsecureHttp must be true or false', { allowInsecureHttp: 'false' as unknown as boolean }],
    ['must not have credentials, a query', { baseUrl: 'https://me@api.example.org/api' }],
    ['baseUrl must be an http(s) URL', { baseUrl: 'ftp://api.example.org/api' }],
    ['must not have credentials, a query', { baseUrl: 'https://:secret@api.example.org/api' }],
    ['must not have credentials, a query', { baseUrl: `${BASE}?key=1` }],
    ['a query or a fragment', { baseUrl: `${BASE}#v1` }],
    ['apiKey must be the complete key', { apiKey: '' }],
    ['apiKey must be the complete key', { apiKey: `${KEY}\n` }],
    ['apiKey must be the complete key', { apiKey: 'whsec_1' }],
    ['apiKey must be the complete key', { apiKey: [KEY] as unknown as string }],
    ['timeoutMs must be', { timeoutMs: 0 }],
    ['totalTimeoutMs must be at most 604800000', { totalTimeoutMs: 7 * 86_400_000 + 1 }],
    ['There is no option timeout. Options: baseUrl, apiKey, ', { timeout: 5 } as Partial<ClientOptions>],
    ['submissions must be a store', { submissions: Promise.resolve() as never }],
    ['fetch must be a function', { fetch: {} as Fetch }],
    ['onWait must be a function', { onWait: 'log' as never }],
    ['random must be a function', { random: 4 as never }],
    ['clock.now must be a function', { clock: {} as never }],
    ['totalTimeoutMs must be', { totalTimeoutMs: Number.NaN }],
    ['maxAttempts must be', { maxAttempts: -1 }],
    ['maxRetryAfterMs must be', { maxRetryAfterMs: Number.POSITIVE_INFINITY }],
    ['maxConcurrency must be', { maxConcurrency: Number.POSITIVE_INFINITY }],
    ['scope must not be empty', { scope: '' }],
    ['must not contain a line break', { scope: 'acme\nats-1' }],
  ])('are refused because %s: %j', (message, options) => {
    expect(() => clientOf(async () => reply(200, {}), options)).toThrow(TypeError);
    expect(() => clientOf(async () => reply(200, {}), options)).toThrow(message);
  });

  test('have the documented defaults', () => {
    expect(readOptions({ baseUrl: BASE, apiKey: KEY })).toMatchObject({
      timeoutMs: 30_000,
      totalTimeoutMs: 300_000,
      maxRetryAfterMs: 300_000,
      maxAttempts: 6,
      maxConcurrency: 8,
    });
  });

  test.each(['localhost', '127.0.0.1', '[::1]'])('allow plain http to %s', (host) => {
    const baseUrl = `http://${host}:3000/api`;
    expect(readOptions({ baseUrl, apiKey: KEY })).toMatchObject({ baseUrl });
  });

  test('allow plain http with allowInsecureHttp, and ignore trailing slashes', async () => {
    const urls: string[] = [];
    const fetch: Fetch = async (url) => {
      urls.push(url);
      return reply(200, { data: [] });
    };
    await all(clientOf(fetch, { baseUrl: 'http://127.0.0.1:3000/api/' }).jobs.list());
    await all(
      clientOf(fetch, { baseUrl: 'http://api.test/v1//', allowInsecureHttp: true }).jobs.list({ limit: 5 }),
    );
    expect(urls).toEqual(['http://127.0.0.1:3000/api/jobs?limit=200', 'http://api.test/v1/jobs?limit=5']);
  });
});
