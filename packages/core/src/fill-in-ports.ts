import { createOpenTelemetry } from './defaults/open-telemetry.js';
import { checkDeploymentName } from './defaults/option-checks.js';
import { createPhoneNumbers } from './defaults/phone-numbers.js';
import { createRedactingLogger, noLogger } from './defaults/redacting-logger.js';
import { assertUndici } from './defaults/safe-http/undici.js';
import { createSafeTelemetry } from './defaults/safe-telemetry.js';
import { createSafeTransport } from './defaults/safe-transport.js';
import { createSecretBox } from './defaults/sealed-secrets.js';
import { checkPhoneNumbers, checkSecretBox } from './defaults/stray-promises.js';
import { createSystemRuntime, describeProcess } from './defaults/system-runtime.js';
import { misconfiguration } from './errors.js';
import { createLogAlerts } from './features/alerts/defaults/log-alerts.js';
import { createResumeFolder } from './features/resumes/defaults/resume-folder.js';
import { createResumeSource } from './features/resumes/defaults/resume-source.js';
import { createObservers } from './observe/observe.js';
import { observeStorage } from './observe/storage.js';
import type { PartnerHiringOptions } from './options.js';
import type { OperatorAlerts, SecretBox } from './ports/host-services.js';
import type { Clock } from './ports/runtime.js';
import { createStorageClock } from './storage-clock.js';
import { createDeploymentWatch } from './worker/deployment-watch.js';
import { guardSecretBox } from './worker/guard-secret-box.js';
import { guardTransport } from './worker/guard-transport.js';

/** The API's `date-time` format allows only years with four digits. */
const LAST_INSTANT = Date.UTC(10_000, 0) - 1;

/** Rejects a clock with the wrong unit. @throws OperatorError `MISCONFIGURED` */
function checkClock(clock: Pick<Clock, 'now'>): void {
  const at = clock.now();
  if (Number.isSafeInteger(at) && at >= 0 && at <= LAST_INSTANT) return;
  throw misconfiguration(
    `The clock returns ${at}, but must return whole milliseconds since 1970, before the year 10000. ` +
      "Set this machine's clock, or fix `runtime.clock.now`.",
  );
}

const DEFAULT_RESUME_FOLDER = 'resumes';

export type FilledInPorts<HostTx, StorageTx> = ReturnType<typeof fillInPorts<HostTx, StorageTx, unknown>>;

export function fillInPorts<HostTx, StorageTx, Tx>(options: PartnerHiringOptions<HostTx, StorageTx, Tx>) {
  checkDeploymentName('createPartnerHiring', options.deployment);
  const { allowPrivateNetworks = false, nat64Prefixes = [], proxy } = options;
  const logger = createRedactingLogger(options.logger ?? noLogger);
  const telemetry =
    options.telemetry === undefined ? createOpenTelemetry() : createSafeTelemetry(options.telemetry);
  const runtime = options.runtime ?? createSystemRuntime();
  checkClock(runtime.clock);
  const storageClock = createStorageClock(options.storage.direct.time, runtime.clock);
  const observers = createObservers(telemetry, logger, storageClock);
  const storage = observeStorage(options.storage, observers.storage);
  if (options.secretBox !== undefined) checkSecretBox(options.secretBox);
  if (options.phoneNumbers !== undefined) checkPhoneNumbers(options.phoneNumbers);
  const network = {
    allowPrivateNetworks,
    allowPlainHttp: allowPrivateNetworks,
    nat64Prefixes,
    proxy,
  };
  return {
    logger,
    telemetry,
    runtime,
    observers,
    storage,
    storageClock,
    secretBox: guardSecretBox(options.secretBox ?? sealWith(options), runtime.clock),
    network,
    assertSends: options.transport && options.resumeSource ? () => {} : assertUndici,
    watch: createDeploymentWatch({
      direct: storage.direct,
      deployment: options.deployment ?? null,
      logger,
      runtime,
    }),
    transport: options.transport
      ? guardTransport(options.transport, runtime.clock)
      : createSafeTransport(network),
    resumeSource: options.resumeSource ?? createResumeSource(network),
    resumeSink: options.resumeSink ?? createResumeFolder(DEFAULT_RESUME_FOLDER),
    alerts: logged(options.alerts, createLogAlerts(logger)),
    instance: describeProcess(options.deployment ?? null),
    phones: options.phoneNumbers ?? createPhoneNumbers(),
  };
}

/**
 * Sends each alert to the host, then logs it. If the host rejects an alert, the worker sends it again later.
 */
function logged(alerts: OperatorAlerts | undefined, log: OperatorAlerts): OperatorAlerts {
  if (alerts === undefined) return log;
  return {
    async alert(alert) {
      await alerts.alert(alert);
      await log.alert(alert);
    },
  };
}

function sealWith({
  secretKey,
  sealingKeys,
}: Pick<PartnerHiringOptions<never>, 'secretKey' | 'sealingKeys'>): SecretBox {
  if (secretKey !== undefined && sealingKeys !== undefined)
    throw misconfiguration(
      'createPartnerHiring takes `secretKey` or `sealingKeys`, not both: name all keys in `sealingKeys`, the new one first.',
    );
  const keys = sealingKeys ?? secretKey;
  if (keys !== undefined) return createSecretBox(keys);
  throw misconfiguration(
    'createPartnerHiring needs `secretKey`: 32 bytes that encrypt webhook signing secrets in the database. ' +
      'Create one with `openssl rand -base64 32`, keep it outside the database, and pass it from your configuration.',
  );
}
