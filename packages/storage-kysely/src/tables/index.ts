export * from './applications.js';
export * from './inbox.js';
export * from './operations.js';
export * from './partners-and-jobs.js';
export * from './webhooks.js';
