import { RATE_LIMITS } from '../domain/rate-limit.js';
import type { FilledInPorts } from '../fill-in-ports.js';
import { createHandler } from '../http/handler.js';
import type { Handler } from '../http/message.js';
import { buildReply } from '../http/wire.js';
import { createPartnerApi } from '../partner/create-partner-api.js';
import { answerInSandbox } from '../partner/sandbox-replies.js';
import type { PartnerHiringOptions } from '../partner-hiring-options.js';

/** The partner API over HTTP, and the use cases behind it. */
export function createHostHandler<HostTx>(
  options: PartnerHiringOptions<HostTx>,
  ports: FilledInPorts<HostTx>,
  onResumeSubmitted: () => void,
): Handler {
  const { storage, storageClock, runtime, phones, logger, observers } = ports;
  const limits = { ...RATE_LIMITS, ...options.limits };
  const partner = createPartnerApi({
    storage,
    storageClock,
    runtime,
    limits,
    phones,
    buildReply,
    onResumeSubmitted,
    onEndedSecret: observers.endedSecrets,
    ...observers.batchers,
  });
  return createHandler({
    partner: options.sandbox
      ? answerInSandbox(partner, { jobs: storage.direct.jobs, limits, storageClock })
      : partner,
    limits,
    logger,
    observer: observers.requests,
    clock: storageClock,
    random: runtime.random,
    basePath: options.basePath,
    maxBodyBytes: options.maxBodyBytes,
    bodyTimeoutMs: options.bodyTimeoutMs,
    maxInFlightPerKey: options.maxInFlightPerKey,
  });
}
