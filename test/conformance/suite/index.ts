export { describeHttp } from './http/describe-http.js';
export type { HttpUnderTest, Served, ServedApi } from './http/fixture.js';
export { type Contract, createContract, type Exchange } from './openapi/contract.js';
export { describeStorage } from './storage/describe-storage.js';
export type { OpenStorage, StorageUnderTest } from './storage/storage-under-test.js';
