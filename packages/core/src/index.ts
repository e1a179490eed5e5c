export { startsAfter } from './domain/page.js';
export { WINDOW_MS, windowStart } from './domain/rate-limit.js';
export { OperatorError, type OperatorErrorCode, StorageUnavailable } from './errors.js';
