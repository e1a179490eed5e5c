export type { StoreCheck } from './store-check.js';
export { type OpenSubmissionStore, submissionStoreChecks } from './submission-store-checks.js';
export { type OpenSyncStore, type SyncedRow, syncStoreChecks } from './sync-store-checks.js';
