export * from './applications.js';
export * from './partners-and-jobs.js';
export * from './system.js';
export * from './webhooks.js';
