export { OperatorError, type OperatorErrorCode, StorageUnavailable } from './errors.js';
