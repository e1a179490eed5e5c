/** What operators see of résumé links that redirect: nothing of a link's query. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { trace } from '@opentelemetry/api';
import { SLOW_DEADLINE_MS } from '@partner-hiring/test-support/network/redirects/answers';
import { createHostileChains } from '@partner-hiring/test-support/network/redirects/hostile-chains';
import {
  HIDDEN,
  startRedirectingWeb,
  WEB_ADDRESSES,
  WEB_NAMES,
} from '@partner-hiring/test-support/network/redirects/web';
import { createSelfSigned } from '@partner-hiring/test-support/network/self-signed';
import { submission } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it, onTestFinished } from 'vitest';
import { HOUR_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { createResumeSource } from '../../../packages/core/src/features/resumes/defaults/resume-source.js';
import { openStage } from './stage.js';

const stage = perTest(openStage, ({ close }) => close());

/** A first URL is stored, as the candidate's. A target is not. */
const OF_A_TARGET = /hidden-signature=(?:target|\d+\.[1-9])/;

/** Traces requests as the instrumentation of undici does, with the whole URL. */
function traceRequests(): { readonly traced: () => number } {
  let traced = 0;
  const onRequest = (message: unknown) => {
    const { request } = message as { readonly request: { readonly origin: string; readonly path: string } };
    traced += 1;
    trace.getTracer('undici').startSpan(`GET ${request.origin}${request.path}`).end();
  };
  subscribe('undici:request:create', onRequest);
  onTestFinished(() => void unsubscribe('undici:request:create', onRequest));
  return { traced: () => traced };
}

it('no query of a résumé link or of its targets is in a log, metric, trace, timeline or alert', async () => {
  const { fixture, partner, jobId, logger, telemetry } = stage;
  const chains = createHostileChains();
  const certificate = await createSelfSigned([WEB_NAMES]);
  const web = await startRedirectingWeb(chains, certificate);
  const requests = traceRequests();
  const source = createResumeSource({
    allowPlainHttp: true,
    resolve: web.resolve,
    ca: certificate.cert,
    timeoutMs: SLOW_DEADLINE_MS,
  });
  onTestFinished(() => source.close());
  stage.downloadWith((url) => source.fetch(url));

  const behindTwo = chains.filter(({ position }) => position === 2);
  const oneOfEachKind = new Map(behindTwo.map((chain) => [chain.kind, chain.url]));
  for (const resumeUrl of oneOfEachKind.values()) {
    expect((await partner.submit(submission(jobId, { resumeUrl }))).status).toBe(201);
    await fixture.pass(10 * SECOND_MS);
  }
  for (let hours = 0; hours < 3; hours += 1) await fixture.pass(HOUR_MS);

  const { items: applications } = await fixture.operator.applications.list();
  const views = await Promise.all(
    applications.map(({ id }) => fixture.operator.timelines.find({ applicationId: id })),
  );
  expect(applications.map(({ resume }) => resume?.kind)).not.toContain('pending');
  expect(requests.traced()).toBeGreaterThan(oneOfEachKind.size);
  const seen = [
    logger.text(),
    await telemetry.everything(),
    JSON.stringify(views),
    JSON.stringify(fixture.alerts),
  ];
  expect(seen.filter((text) => text.includes(HIDDEN))).toEqual([]);
  expect(await stage.stored()).not.toMatch(OF_A_TARGET);
  expect(web.addresses.filter((address) => !WEB_ADDRESSES.includes(address))).toEqual([]);
});
