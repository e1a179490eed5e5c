import { accessGroup } from './access-commands.js';
import { applicationGroup } from './application-commands.js';
import { auditGroup } from './audit-commands.js';
import { candidateGroup } from './candidate-commands.js';
import { companyGroup } from './company-commands.js';
import { deliveryGroup } from './delivery-commands.js';
import { endpointGroup } from './endpoint-commands.js';
import { inboxGroup } from './inbox-commands.js';
import { jobGroup } from './job-commands.js';
import { keyGroup } from './key-commands.js';
import { operationGroup } from './operation-commands.js';
import type { CommandGroups } from './parse-command.js';
import { partnerGroup } from './partner-commands.js';
import { requestGroup } from './request-commands.js';
import { sandboxGroup } from './sandbox-commands.js';

/** All command groups. They mirror the library's operator. */
export const ALL_COMMANDS: CommandGroups = {
  partners: partnerGroup,
  keys: keyGroup,
  companies: companyGroup,
  access: accessGroup,
  jobs: jobGroup,
  applications: applicationGroup,
  candidates: candidateGroup,
  endpoints: endpointGroup,
  deliveries: deliveryGroup,
  operations: operationGroup,
  inbox: inboxGroup,
  requests: requestGroup,
  sandbox: sandboxGroup,
  audit: auditGroup,
};
