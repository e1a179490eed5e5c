/**
 * What the service sends to an endpoint before it goes live, and what a receiver's answers mean. `certify` sends the same, so
 * its package contains this module.
 */
export {
  type Check,
  type ProbeRequest,
  type ProbeStage,
  type ProbeTransport,
  type Signing,
  sending,
} from './check.js';
export { type Answer, type CheckResult, type Expectation, isTaken } from './check-result.js';
export { FINDINGS, type FindingCode, type FindingSeverity, type FindingText } from './findings/findings.js';
export { judge, skipped } from './judge.js';
export {
  BEYOND_SECONDS,
  eventCheck,
  foreignSecret,
  JOB_OPENED_CHECK,
  REPEATED_CHECK,
  STALE_CHECK,
  signed,
  WRONG_SECRET_CHECK,
} from './probes.js';
export { bodyOf, createSample, type Sample, type SampleType, UNUSUAL_TITLE } from './samples.js';
