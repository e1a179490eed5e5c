import type { Settings } from '../options.js';
import type { Check } from './check.js';
import { CONTENT_CHECKS } from './events.js';
import { GROWTH_CHECKS } from './growth.js';
import { OLD_SECRET_CHECK, OVERLAP_CHECK, SEVERAL_V1_CHECKS } from './rotation.js';
import { SIGNATURE_CHECKS } from './signatures.js';
import { STRAIN_CHECKS } from './strain.js';
import { TIME_CHECKS } from './times.js';

/** What is checked once one of the events was taken, in this order. */
export function checksFor({ secrets, oldSecrets }: Settings): readonly Check[] {
  return [
    ...CONTENT_CHECKS,
    ...SIGNATURE_CHECKS,
    ...TIME_CHECKS,
    ...SEVERAL_V1_CHECKS,
    ...(secrets.length > 1 ? [OVERLAP_CHECK] : []),
    ...(oldSecrets.length > 0 ? [OLD_SECRET_CHECK] : []),
    ...GROWTH_CHECKS,
    ...STRAIN_CHECKS,
  ];
}
