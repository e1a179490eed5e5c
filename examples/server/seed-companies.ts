import type { NewCompany } from '@partner-hiring/core';

/** A company of the example. */
export type SeedCompany = NewCompany & {
  readonly id: `co_${string}`;
  /** Whether the example's partner may see its jobs from the start. */
  readonly grantsAccess: boolean;
};

/** The companies of the example. A host brings its own ids. Sandbox keys bring companies of their own. */
export const SEED_COMPANIES: readonly SeedCompany[] = [
  { id: 'co_harbor', name: 'Harbor Logistics', environment: 'production', grantsAccess: true },
  { id: 'co_pinewood', name: 'Pinewood Hospital', environment: 'production', grantsAccess: true },
  // Grants nothing yet: its jobs appear, with job.opened, once an operator grants access.
  { id: 'co_bluebird', name: 'Bluebird Cafés', environment: 'production', grantsAccess: false },
];
