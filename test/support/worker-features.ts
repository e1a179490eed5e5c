import type { PartnerHiringOptions } from '@partner-hiring/core';
import type { FeatureHost, MadeFeature } from '../../packages/core/src/features/feature.js';
import { FEATURES } from '../../packages/core/src/features/features.js';
import { createStorageClock } from '../../packages/core/src/storage-clock.js';
import type { WorkerParts } from '../../packages/core/src/worker/worker.js';

/** The options of a host that the tasks of features use. */
export type FeatureOptions = Pick<
  PartnerHiringOptions<never>,
  'alerts' | 'portalUrl' | 'resumeScanner' | 'resumeSink' | 'resumeSource' | 'retention' | 'support'
>;

/**
 * Makes the features of a worker that has no operator and no API: their tasks and sweeps.
 * @param without - the names of features to leave out.
 */
export function makeFeatures(
  parts: Pick<WorkerParts, 'storage' | 'runtime' | 'logger' | 'process'>,
  options: FeatureOptions,
  without: readonly string[] = [],
): readonly MadeFeature[] {
  const unmetered = { counter: () => () => {}, histogram: () => () => {}, observe: () => () => {} };
  const span = { run: <T>(work: () => T) => work(), set() {}, fail() {}, end() {} };
  const host = {
    options,
    ports: {
      ...parts,
      ...options,
      storageClock: createStorageClock(parts.storage.direct.time, parts.runtime.clock),
      telemetry: { ...unmetered, startSpan: () => span, seconds: () => 0 },
      instance: parts.process ?? { deployment: null },
      watch: { standing: () => null },
    },
    runnerAs: () => {
      throw new Error('This worker has no operator.');
    },
    actAsPartner: () => {
      throw new Error('This worker has no operator.');
    },
    worker: () => {
      throw new Error('This worker has no API.');
    },
  };
  const chosen = FEATURES.filter(({ name }) => !without.includes(name));
  return chosen.flatMap(({ make }) => make?.(host as unknown as FeatureHost) ?? []);
}
