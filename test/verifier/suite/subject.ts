import type * as verifier from '@partner-hiring/webhook-verifier';
import type * as fetchEntry from '@partner-hiring/webhook-verifier/fetch';
import type { VectorFile } from '../vectors/format.js';

/** One build of the package, and the published vectors. */
export interface Subject {
  readonly verifier: typeof verifier;
  readonly fetchEntry: typeof fetchEntry;
  readonly vectors: VectorFile;
}
