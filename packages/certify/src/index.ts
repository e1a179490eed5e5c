export { type CertifyReport, certify } from './certify.js';
export { CertifyError, type CertifyErrorCode } from './certify-error.js';
export type { Answer, CheckResult, Expectation } from './check-result.js';
export type { FindingCode, FindingSeverity, FindingText } from './findings/findings.js';
export type { CertifyFetch, CertifyOptions } from './options.js';
export type { Finding } from './summarise.js';
