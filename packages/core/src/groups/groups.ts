import type { CommandGroups } from '../operator/command/definition.js';
import type { PlanWorks } from '../operator/operations/operation-stepper.js';
import { applicationDefinitions } from './applications/application-commands.js';
import { deliveryDefinitions } from './deliveries/delivery-commands.js';
import { endpointDefinitions } from './deliveries/endpoint-commands.js';
import { endpointTesterDefinitions } from './deliveries/endpoint-tester.js';
import { eventDefinitions } from './deliveries/event-commands.js';
import { partnerStep } from './deliveries/resend-to-partner.js';
import { sendStep } from './deliveries/send-steps.js';
import { closeStep } from './jobs/close-all.js';
import { jobDefinitions } from './jobs/job-definitions.js';
import { publishStep } from './jobs/publish-jobs.js';
import { accessDefinitions } from './partners/access-commands.js';
import { companyDefinitions } from './partners/company-commands.js';
import { keyDefinitions } from './partners/key-commands.js';
import { partnerDefinitions } from './partners/partner-commands.js';

/** The commands of the groups that are no features. */
export const BASE_COMMANDS: CommandGroups = {
  partners: partnerDefinitions,
  keys: keyDefinitions,
  companies: companyDefinitions,
  access: accessDefinitions,
  jobs: jobDefinitions,
  applications: applicationDefinitions,
  endpoints: endpointDefinitions,
  deliveries: deliveryDefinitions,
  events: eventDefinitions,
};

/** Those that do not run in a transaction of the host. */
export const BASE_COMMANDS_ALONE: CommandGroups = { endpoints: endpointTesterDefinitions };

/** The work of their operations. */
export const BASE_PLANS: PlanWorks = {
  publish_jobs: { step: publishStep },
  close_jobs: { step: closeStep },
  resend: { step: sendStep },
  retry_now: { step: sendStep },
  resend_partner: { step: partnerStep },
};
