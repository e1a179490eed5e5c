/**
 * The ports and the domain types they use, for storages, transports and adapters. Types only.
 *
 * @packageDocumentation
 */
export type * from '../domain/access.js';
export type * from '../domain/alert.js';
export type * from '../domain/application.js';
export type * from '../domain/application-form.js';
export type * from '../domain/backlog.js';
export type * from '../domain/candidate.js';
export type * from '../domain/delivery.js';
export type * from '../domain/endpoint.js';
export type * from '../domain/event.js';
export type * from '../domain/feed.js';
export type * from '../domain/idempotency.js';
export type * from '../domain/ids.js';
export type * from '../domain/job.js';
export type * from '../domain/page.js';
export type * from '../domain/partner-key.js';
export type * from '../domain/rate-limit.js';
export type * from '../domain/resume.js';
export type * from '../domain/stage.js';
export type * from '../domain/submission.js';
export type * from '../domain/time.js';
export type * from './operator-alerts.js';
export type * from './phone-numbers.js';
export type * from './repositories/applications.js';
export type * from './repositories/claims.js';
export type * from './repositories/companies.js';
export type * from './repositories/deliveries.js';
export type * from './repositories/endpoints.js';
export type * from './repositories/feed.js';
export type * from './repositories/jobs.js';
export type * from './repositories/partners.js';
export type * from './repositories/submissions.js';
export type * from './resumes.js';
export type * from './runtime.js';
export type * from './secret-box.js';
export type * from './storage.js';
export type * from './telemetry.js';
export type * from './webhook-transport.js';
