/** A résumé link that redirects leads to no private address, whatever its servers do. */

import { SLOW_DEADLINE_MS } from '@partner-hiring/test-support/network/redirects/answers';
import {
  createHostileChains,
  type HostileChain,
} from '@partner-hiring/test-support/network/redirects/hostile-chains';
import {
  HIDDEN,
  startRedirectingWeb,
  WEB_ADDRESSES,
  WEB_NAMES,
} from '@partner-hiring/test-support/network/redirects/web';
import { createSelfSigned } from '@partner-hiring/test-support/network/self-signed';
import { expect, it } from 'vitest';
import { createResumeSource } from '../../packages/core/src/features/resumes/defaults/resume-source.js';

/** All downloads together need a few seconds of the processor. */
const TIMEOUT_MS = 120_000;
const AT_ONCE = 100;

it(
  'in 1,166 hostile chains, connects to no refused address and keeps its limits',
  async () => {
    const chains = createHostileChains();
    expect(chains.length).toBeGreaterThanOrEqual(1_166);
    const certificate = await createSelfSigned([WEB_NAMES]);
    const web = await startRedirectingWeb(chains, certificate);
    const options = { allowPlainHttp: true, resolve: web.resolve, ca: certificate.cert, maxBytes: 1_000_000 };
    const source = createResumeSource({ ...options, timeoutMs: 25_000 });
    const hasty = createResumeSource({ ...options, timeoutMs: SLOW_DEADLINE_MS });
    const downloads = new Map<HostileChain, unknown>();
    const left = chains.entries();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const [, chain] of left)
          downloads.set(chain, await (chain.isSlow ? hasty : source).fetch(chain.url));
      }),
    );
    await Promise.all([source.close(), hasty.close()]);

    const wrong = chains.flatMap((chain, index) => {
      const { kind, reason = kind } = downloads.get(chain) as {
        readonly kind: string;
        readonly reason?: string;
      };
      const requests = web.requestsOf(index);
      const isRight = chain.outcomes.includes(reason) && (chain.requests ?? requests) === requests;
      return isRight ? [] : [`${chain.title}: ${reason} after ${requests} requests`];
    });
    expect(wrong).toEqual([]);
    expect(web.addresses.filter((address) => !WEB_ADDRESSES.includes(address))).toEqual([]);
    expect(JSON.stringify([...downloads.values()])).not.toContain(HIDDEN);
    const names = web.heads.flatMap((head) =>
      [...head.matchAll(/^([\w-]+):/gm)].map(([, name]) => name?.toLowerCase()),
    );
    expect(new Set(names)).toEqual(
      new Set(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']),
    );
    expect(web.heads.filter((head) => !head.startsWith('GET ') || /[#@]/.test(head))).toEqual([]);
  },
  TIMEOUT_MS,
);
