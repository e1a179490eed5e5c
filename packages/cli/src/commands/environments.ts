import type { Environment } from '@partner-hiring/core';

/** All environments. */
export const ENVIRONMENTS = ['production', 'sandbox'] as const satisfies readonly Environment[];
