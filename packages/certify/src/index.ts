export type {
  Answer,
  CheckResult,
  Expectation,
  FindingCode,
  FindingSeverity,
  FindingText,
} from '@partner-hiring/core/probes';
export { type CertifyReport, certify } from './certify.js';
export { CertifyError, type CertifyErrorCode } from './certify-error.js';
export type { CertifyFetch, CertifyOptions } from './options.js';
export type { Finding } from './summarise.js';
