import type { FindingText } from './findings/finding-text.js';
import { FORGERIES } from './findings/forgeries.js';
import { REFUSALS } from './findings/refusals.js';
import { UNUSABLE } from './findings/unusable.js';
import { WARNINGS } from './findings/warnings.js';

export type { FindingSeverity, FindingText } from './findings/finding-text.js';

/** What can be found. Stable: a pipeline may allow for one by its code. */
export type FindingCode = keyof typeof FINDINGS;

/** Every finding, the one to mend first before the others. */
export const FINDINGS = {
  ...UNUSABLE,
  ...FORGERIES,
  ...REFUSALS,
  ...WARNINGS,
} as const satisfies Readonly<Record<string, FindingText>>;
