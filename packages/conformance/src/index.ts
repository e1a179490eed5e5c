export { describeStorage } from './storage/describe-storage.js';
export type { OpenStorage, StorageUnderTest } from './storage/storage-under-test.js';
