import type { ApplicationId } from '@partner-hiring/core';
import type { HireOrder } from './hire.js';

/** A reply of the platform's routes. */
export interface PlatformReply {
  readonly status: number;
  readonly text: string;
  /** Empty if the reply has no body. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** A recruiter's HTTP client for the platform's routes. */
export interface Recruiter {
  publish(opening: {
    readonly id: string;
    readonly employerId: string;
    readonly title: string;
  }): Promise<PlatformReply>;
  list(openingId: string): Promise<PlatformReply>;
  screen(id: ApplicationId): Promise<PlatformReply>;
  hire(id: ApplicationId, terms: Omit<HireOrder, 'applicationId'>): Promise<PlatformReply>;
}

const TIMEOUT_MS = 10_000;

export function createRecruiter(address: string, staffToken: string): Recruiter {
  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<PlatformReply> {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${staffToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, text, json: isJson ? (JSON.parse(text) as PlatformReply['json']) : {} };
  }
  return {
    publish: (opening) => call('POST', '/openings', opening),
    list: (openingId) => call('GET', `/openings/${openingId}/applications`),
    screen: (id) => call('POST', `/applications/${id}/screening`),
    hire: (id, terms) => call('POST', `/applications/${id}/hire`, terms),
  };
}
