/** A form that never ends does not keep a request open. */
import { createPartnerPortal } from '@partner-hiring/console/portal';
import { PORTAL_RIGHTS } from '@partner-hiring/core';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ORIGIN, openPlatform, visit } from './platform.js';

const platform = perTest(openPlatform, ({ close }) => close());

it.each(['console', 'portal'] as const)(
  'the %s answers 408 after ten seconds in servers that use Request, and reads no more of the form',
  async (kind) => {
    const { fixture, acme } = platform;
    const actor = () => ({ partnerId: acme.partnerId, name: 'Dana', rights: PORTAL_RIGHTS });
    const portal = createPartnerPortal({ operator: fixture.operator, actor });
    const [{ fetch }, path] =
      kind === 'console'
        ? [visit(fixture).console, `/console/keys/${acme.keyId}/rotate`]
        : [portal, `/portal/keys/${acme.keyId}/rotate`];
    let [isRead, isCancelled] = [false, false];
    const body = new ReadableStream(
      {
        pull: () => {
          isRead = true;
          return new Promise(() => {});
        },
        cancel: () => {
          isCancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const answer = fetch(new Request(`${ORIGIN}${path}`, { method: 'POST', headers, body, duplex: 'half' }));
    await vi.waitFor(() => expect(isRead).toBe(true), { interval: 1 });
    vi.advanceTimersByTime(10_000);
    const { status } = await answer;
    expect([status, isCancelled]).toEqual([408, true]);
  },
);
