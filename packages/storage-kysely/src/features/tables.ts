/** The tables of all features. */
export * from './alerts/table.js';
export * from './audit/table.js';
export * from './inbox/table.js';
export * from './jobs-sync/table.js';
export * from './operations/table.js';
export * from './portal/table.js';
export * from './readiness/table.js';
export * from './request-log/table.js';
export * from './resumes/table.js';
