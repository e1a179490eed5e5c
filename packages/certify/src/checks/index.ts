/** The checks that the service itself sends to an endpoint before it goes live. Its packages contain this module. */
export type { Answer } from '../check-result.js';
export { FINDINGS, type FindingCode } from '../findings/findings.js';
export { judge } from '../judge.js';
export { createSample } from '../samples.js';
export type { Delivery, Signing } from '../sender.js';
export type { Check, Stage } from './check.js';
export { JOB_OPENED_CHECK, REPEATED_CHECK } from './events.js';
export { WRONG_SECRET_CHECK } from './signatures.js';
export { STALE_CHECK } from './times.js';
