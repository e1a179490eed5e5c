import { describe, expect, it } from 'vitest';
import { createPartnerHiring } from './create-partner-hiring.js';
import { createResumeSource } from './defaults/resume/resume-source.js';
import { createSafeTransport, type SafeTransportOptions } from './defaults/safe-transport.js';
import { createSystemRuntime } from './defaults/system-runtime.js';
import type { PartnerHiringOptions } from './options.js';
import type { Runtime } from './ports/runtime.js';
import type { Storage } from './ports/storage.js';

const storage = { direct: {} } as Storage<never>;

function runtimeAt(now: number): Runtime {
  const runtime = createSystemRuntime();
  return { ...runtime, clock: { ...runtime.clock, now: () => now } };
}

/** What a host reads when it has put the library together wrongly. */
function complaint(options: Partial<PartnerHiringOptions<never>>): unknown {
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
/** Were nobody to take this rejection, it would end the process. */
const later = async () => {
  throw new Error('The collector is away.');
};

describe('a misconfigured host gets a message that names the fix', () => {
  it.each([
    ['no secret key', { secretKey: undefined }, /needs `secretKey`.*openssl rand -base64 32/],
    ['a secret key of the wrong length', { secretKey: new Uint8Array(16) }, /32/],
    ['a limit of zero', { limits: { guard: 0 } }, /`limits.guard` as 0.*whole number above 0/],
    ['a limit that is no number', { limits: { list_jobs: Number.NaN } }, /`limits.list_jobs` as NaN/],
    ['a worker option below zero', { worker: { leaseMs: -1 } }, /`worker.leaseMs` as -1/],
    ['no storage', { storage: undefined }, /needs `storage`.*await createSqliteStorage/],
    ['a storage that was not awaited', { storage: Promise.resolve(storage) }, /`await`/],
    [
      'a switch of the environment',
      { allowPrivateNetworks: 'false' },
      /`allowPrivateNetworks` as the text 'false'.*=== 'true'/,
    ],
    ['a switch that is a number', { sandbox: 1 }, /`sandbox` as 1/],
    ['a switch that is null', { decideFromReceived: null }, /`decideFromReceived` as null/],
    ['a logger that cannot warn', { logger: { ...console, warn: undefined } }, /`logger`.* lacks `warn`\./],
    [
      'a clock before 1970',
      { runtime: runtimeAt(-1) },
      /clock of createPartnerHiring says -1.*Set this machine's clock/,
    ],
    [
      'a clock of microseconds, in whose years no instant has the form of the API',
      { runtime: runtimeAt(253_402_300_800_000) },
      /says 253402300800000.*before the year 10000.*mend `now`/,
    ],
    ['a clock of seconds', { runtime: runtimeAt(1_763_890_000.5) }, /says 1763890000.5.*mend `now`/],
    ['a function for a port', { alerts: () => {} }, /`alerts`.* lacks `alert`/],
    [
      'a telemetry that measures no histogram',
      { telemetry: { counter: () => {} } },
      /`telemetry`.* `histogram`/,
    ],
    [
      'a telemetry that makes its counters later',
      { telemetry: { ...telemetry, counter: later } },
      /`counter`/,
    ],
    [
      'a telemetry that makes its histograms later',
      { telemetry: { ...telemetry, histogram: later } },
      /`histogram`/,
    ],
    ['a telemetry that nobody can end', { telemetry: { ...telemetry, observe: later } }, /`observe`/],
    ['a scanner of résumés that does not scan', { resumeScanner: {} }, /`resumeScanner`.* lacks `scan`/],
    ['phone numbers that nobody reads', { phoneNumbers: {} }, /`phoneNumbers`.* lacks `normalize`/],
    ['a runtime without a clock', { runtime: {} }, /`runtime.clock`.* lacks `now`, `sleep`/],
    [
      'a runtime that makes no tokens',
      { runtime: { ...createSystemRuntime(), random: { bytes: () => {}, fraction: () => 0 } } },
      /`runtime.random`.* lacks `token`/,
    ],
    [
      'a limit of no bucket',
      { limits: { submitApplication: 20 } },
      /`limits.submitApplication`.*submit_application/,
    ],
    ['a worker option that is none', { worker: { maxInflight: 8 } }, /`worker.maxInflight`.*maxInFlight/],
    [
      'an option that does not exist',
      { secretkey: 'x', limitz: {} },
      /^createPartnerHiring was given `secretkey`, `limitz`, which do not exist\. .*`secretKey`.*`limits`/,
    ],
    ['one that is undefined', { sandBox: undefined }, /`sandBox`, which does not exist\. .*`sandbox`/],
    ['limits that are a number', { limits: 20 }, /`limits`.*object/],
    ['a base path that is no text', { basePath: 7 }, /`basePath`/],
    ['a secret key that a configuration has as null', { secretKey: null }, /32 bytes/],
    ['a secret key of other numbers', { secretKey: 12_345 }, /32 bytes/],
  ] as unknown as [string, Partial<PartnerHiringOptions<never>>, RegExp][])('%s', (_, options, message) => {
    expect(complaint(options)).toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ['createSafeTransport', createSafeTransport, { timeout: 1 }, /`timeout`.*`timeoutMs`/],
    ['createResumeSource', createResumeSource, { maxbytes: 1 }, /`maxbytes`.*`maxBytes`/],
  ] as const)('also for an option that does not exist of %s', (name, create, options, message) => {
    const made = () => create(options as object);
    expect(made).toThrow(message);
    expect(made).toThrow(name);
    expect(() => create({ allowPlainHttp: true, allowPrivateNetworks: true, timeoutMs: 1 })).not.toThrow();
  });

  it('also where the transport is made apart', () => {
    const options = { allowPlainHttp: 'no' } as unknown as SafeTransportOptions;
    expect(() => createSafeTransport(options)).toThrow(/`allowPlainHttp` as the text 'no'/);
  });

  it('and one that is put together rightly gets none', () => {
    const switches = { sandbox: true, allowPrivateNetworks: false, logger: console };
    expect(complaint({ ...switches, limits: { list_jobs: 5 }, worker: { leaseMs: 1_000 } })).toBeNull();
  });
});
