export type {
  PartnerHiringModuleAsyncOptions,
  PartnerHiringModuleOptions,
  PartnerHiringModuleSettings,
} from './module-options.js';
export {
  type InjectDecorator,
  InjectOperator,
  InjectPartnerHiring,
  InjectWorker,
  PARTNER_HIRING,
  PARTNER_HIRING_OPERATOR,
  PARTNER_HIRING_WORKER,
} from './module-options.js';
export {
  PartnerHiringHealth,
  type PartnerHiringHealthOptions,
  type PartnerHiringHealthStatus,
} from './partner-hiring-health.js';
export { PartnerHiringModule } from './partner-hiring-module.js';
