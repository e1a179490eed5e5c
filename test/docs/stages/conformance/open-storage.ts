import type { OpenStorage } from '@partner-hiring/conformance';

/** The reader's own. */
export declare const openStorage: OpenStorage<unknown>;
