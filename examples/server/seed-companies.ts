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
  // The partner has no access to this company yet. When an operator grants it, job.opened announces the
  // company's jobs.
  { id: 'co_bluebird', name: 'Bluebird Cafés', environment: 'production', grantsAccess: false },
];
