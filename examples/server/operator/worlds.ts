import type { Environment } from '@partner-hiring/core/ports';

/** The two worlds, as they are written on a command line. */
export const WORLDS = ['production', 'sandbox'] as const satisfies readonly Environment[];
