import { createRecordingLogger } from '@partner-hiring/test-support/telemetry';
import { describe, expect, it, vi } from 'vitest';
import { createPartnerHiring } from './create-partner-hiring.js';
import { createSafeTransport, type SafeTransportOptions } from './defaults/safe-transport.js';
import { createSystemRuntime } from './defaults/system-runtime.js';
import { createResumeSource } from './features/resumes/defaults/resume-source.js';
import type { PartnerHiringOptions } from './options.js';
import type { Runtime } from './ports/runtime.js';
import type { Storage } from './ports/storage.js';

const storage = { direct: {} } as Storage<never>;

function runtimeAt(now: number): Runtime {
  const runtime = createSystemRuntime();
  return { ...runtime, clock: { ...runtime.clock, now: () => now } };
}

function errorOf(options: Partial<PartnerHiringOptions<never>>): unknown {
  try {
    createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4), ...options });
    return null;
  } catch (error) {
    return error;
  }
}

const telemetry = {
  counter: () => () => {},
  histogram: () => () => {},
  observe: () => () => {},
  startSpan: () => {},
  seconds: () => 0,
};
/** An unhandled rejection would end the process. */
const later = async () => {
  throw new Error('The collector is away.');
};

describe('a misconfigured host gets a message that names the fix', () => {
  it.each([
    ['no secret key', { secretKey: undefined }, /needs `secretKey`.*openssl rand -base64 32/],
    ['a secret key of the wrong length', { secretKey: new Uint8Array(16) }, /32/],
    ['a limit of zero', { limits: { guard: 0 } }, /`limits.guard` is 0,.*whole number above 0/],
    ['a limit that is not a number', { limits: { list_jobs: Number.NaN } }, /`limits.list_jobs` is NaN/],
    ['a worker option below zero', { worker: { leaseMs: -1 } }, /`worker.leaseMs` is -1/],
    ['no storage', { storage: undefined }, /needs `storage`.*await createSqliteStorage/],
    ['a storage that was not awaited', { storage: Promise.resolve(storage) }, /`await`/],
    [
      'a switch from an environment variable',
      { allowPrivateNetworks: 'false' },
      /`allowPrivateNetworks` is the text 'false'.*=== 'true'/,
    ],
    ['a switch that is a number', { sandbox: 1 }, /`sandbox` is 1/],
    ['a switch that is null', { decideFromReceived: null }, /`decideFromReceived` is null/],
    ['a logger without `warn`', { logger: { ...console, warn: undefined } }, /`logger`.* lacks `warn`\./],
    ['a clock before 1970', { runtime: runtimeAt(-1) }, /clock returns -1.*Set this machine's clock/],
    [
      'a clock that returns microseconds',
      { runtime: runtimeAt(253_402_300_800_000) },
      /returns 253402300800000,.*before the year 10000.*fix `runtime.clock.now`/,
    ],
    [
      'a clock that returns seconds',
      { runtime: runtimeAt(1_763_890_000.5) },
      /returns 1763890000.5,.*fix `runtime.clock.now`/,
    ],
    [
      'a key in two options',
      { secretKey: '0123456789abcdef'.repeat(4), sealingKeys: ['fedcba9876543210'.repeat(4)] },
      /`secretKey` or `sealingKeys`, not both: name all keys in `sealingKeys`, the new one first/,
    ],
    [
      'asynchronous phone numbers',
      { phoneNumbers: { normalize: later } },
      /`phoneNumbers.normalize`.*promise/,
    ],
    ['a function for a port', { alerts: () => {} }, /`alerts`.* lacks `alert`/],
    ['telemetry without histograms', { telemetry: { counter: () => {} } }, /`telemetry`.* `histogram`/],
    [
      'telemetry that creates counters asynchronously',
      { telemetry: { ...telemetry, counter: later } },
      /`telemetry.counter`/,
    ],
    [
      'telemetry that creates histograms asynchronously',
      { telemetry: { ...telemetry, histogram: later } },
      /`telemetry.histogram`/,
    ],
    [
      'telemetry that registers gauges asynchronously',
      { telemetry: { ...telemetry, observe: later } },
      /`telemetry.observe`/,
    ],
    ['a résumé scanner without `scan`', { resumeScanner: {} }, /`resumeScanner`.* lacks `scan`/],
    ['phone numbers without `normalize`', { phoneNumbers: {} }, /`phoneNumbers`.* lacks `normalize`/],
    ['a runtime without a clock', { runtime: {} }, /`runtime.clock`.* lacks `now`, `sleep`/],
    [
      'a runtime without tokens',
      { runtime: { ...createSystemRuntime(), random: { bytes: () => {}, fraction: () => 0 } } },
      /`runtime.random`.* lacks `token`/,
    ],
    [
      'a limit of an unknown bucket',
      { limits: { submitApplication: 20 } },
      /`limits.submitApplication`.*submit_application/,
    ],
    ['an unknown worker option', { worker: { maxInflight: 8 } }, /`worker.maxInflight`.*maxInFlight/],
    [
      'an option that does not exist',
      { secretkey: 'x', limitz: {} },
      /^createPartnerHiring has no option `secretkey`, `limitz`\. .*`secretKey`.*`limits`/,
    ],
    [
      'an unknown option with the value undefined',
      { sandBox: undefined },
      /no option `sandBox`\. .*`sandbox`/,
    ],
    ['limits that are a number', { limits: 20 }, /`limits`.*object/],
    ['a self-service that is a boolean', { selfService: true }, /`selfService` is true.*events: true/],
    [
      'an unknown right',
      { selfService: { event: true } },
      /no option `selfService.event`.*`selfService.events`/,
    ],
    ['a right that is a text', { selfService: { events: 'no' } }, /`selfService.events` is the text 'no'/],
    ['a base path that is not a text', { basePath: 7 }, /`basePath`/],
    ['a secret key that is null', { secretKey: null }, /32 bytes/],
    [
      'a prefix of NAT64 without a length',
      { nat64Prefixes: ['64:ff9b::'] },
      /is not an IPv6 prefix.*Pass the prefixes/,
    ],
    ['a secret key that is a number', { secretKey: 12_345 }, /32 bytes/],
  ] as unknown as [string, Partial<PartnerHiringOptions<never>>, RegExp][])('%s', (_, options, message) => {
    expect(errorOf(options)).toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringMatching(message),
    });
  });

  it('logs once that this Node has small ICU, and what follows', () => {
    vi.spyOn(Intl.DisplayNames, 'supportedLocalesOf').mockReturnValue([]);
    const logger = createRecordingLogger();
    expect(errorOf({ logger })).toBeNull();
    expect(logger.lines).toMatchObject([
      { level: 'warn', message: expect.stringMatching(/small ICU.*NODE_ICU_DATA/) },
    ]);
  });

  it.each([
    ['createSafeTransport', createSafeTransport, { timeout: 1 }, /`timeout`.*`timeoutMs`/],
    ['createResumeSource', createResumeSource, { maxbytes: 1 }, /`maxbytes`.*`maxBytes`/],
  ] as const)('names an unknown option of %s', (name, create, options, message) => {
    const made = () => create(options as object);
    expect(made).toThrow(message);
    expect(made).toThrow(name);
    expect(() => create({ allowPlainHttp: true, allowPrivateNetworks: true, timeoutMs: 1 })).not.toThrow();
  });

  it('checks the switches of a transport', () => {
    const options = { allowPlainHttp: 'no' } as unknown as SafeTransportOptions;
    expect(() => createSafeTransport(options)).toThrow(/`allowPlainHttp` is the text 'no'/);
  });

  it('accepts valid options', () => {
    const switches = { sandbox: true, allowPrivateNetworks: false, logger: console };
    expect(errorOf({ ...switches, limits: { list_jobs: 5 }, worker: { leaseMs: 1_000 } })).toBeNull();
  });
});
