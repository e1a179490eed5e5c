import type { NewCompany } from '@partner-hiring/core';

/** A company of the example. */
export type SeedCompany = NewCompany & {
  readonly id: `co_${string}`;
  /** Whether the partner has access from the start. */
  readonly grantsAccess: boolean;
};

/** The companies of the example. A host uses its own ids. Sandbox keys have their own companies. */
export const SEED_COMPANIES: readonly SeedCompany[] = [
  { id: 'co_harbor', name: 'Harbor Logistics', environment: 'production', grantsAccess: true },
  { id: 'co_pinewood', name: 'Pinewood Hospital', environment: 'production', grantsAccess: true },
  // No access yet. Its jobs appear with job.opened when an operator grants access.
  { id: 'co_bluebird', name: 'Bluebird Cafés', environment: 'production', grantsAccess: false },
];
