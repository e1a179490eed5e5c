import type { CommandGroup } from '../command/command.js';
import { applicationGroup } from './applications/application-commands.js';
import { deliveryGroup, eventGroup } from './deliveries/delivery-commands.js';
import { endpointGroup } from './deliveries/endpoint-commands.js';
import { jobGroup } from './jobs/job-commands.js';
import { accessGroup } from './partners/access-commands.js';
import { companyGroup } from './partners/company-commands.js';
import { keyGroup } from './partners/key-commands.js';
import { partnerGroup } from './partners/partner-commands.js';

/** The groups that belong to no feature, in the order of the help. */
export const BASE_GROUPS = {
  partners: partnerGroup,
  keys: keyGroup,
  companies: companyGroup,
  access: accessGroup,
  jobs: jobGroup,
  applications: applicationGroup,
  endpoints: endpointGroup,
  deliveries: deliveryGroup,
  events: eventGroup,
} as const satisfies Readonly<Record<string, CommandGroup>>;

/** The name of such a group. */
export type BaseGroup = keyof typeof BASE_GROUPS;
