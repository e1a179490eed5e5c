export { createFileSubmissionStore, type FileStoreOptions } from './create-file-submission-store.js';
