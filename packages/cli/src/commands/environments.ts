import type { Environment } from '@partner-hiring/core/ports';

/** All environments. */
export const ENVIRONMENTS = ['production', 'sandbox'] as const satisfies readonly Environment[];
