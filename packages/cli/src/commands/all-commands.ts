import type { CommandTable } from '../command/command.js';
import { completion } from '../completion/completion-command.js';
import { INSTALLED_PACKAGES, type StoragePackages } from '../connection/load-storage.js';
import { applicationGroup } from './applications/application-commands.js';
import { candidateGroup, exportPerson } from './applications/candidate-commands.js';
import { eraseCandidate } from './applications/erase-command.js';
import { inboxGroup } from './applications/inbox-commands.js';
import { timelineOfAny } from './applications/timeline-command.js';
import { consoleCommand } from './console/console-command.js';
import { companyGroup } from './jobs/company-commands.js';
import { jobGroup } from './jobs/job-commands.js';
import { deploymentGroup } from './maintenance/deployment-commands.js';
import { doctor } from './maintenance/doctor-command.js';
import { exportAll } from './maintenance/export-all-command.js';
import { migrateDatabase } from './maintenance/migrate-command.js';
import { secretGroup } from './maintenance/secret-commands.js';
import { loadStorageGroups } from './maintenance/storage-commands.js';
import { accessGroup } from './partners/access-commands.js';
import { keyGroup } from './partners/key-commands.js';
import { partnerGroup } from './partners/partner-commands.js';
import { portalGroup } from './partners/portal-commands.js';
import { sandboxGroup } from './partners/sandbox-commands.js';
import { auditGroup } from './records/audit-commands.js';
import { eventGroup } from './records/event-commands.js';
import { findAnything } from './records/find-command.js';
import { operationGroup } from './records/operation-commands.js';
import { requestGroup } from './records/request-commands.js';
import { status } from './system/status-command.js';
import { deliveryGroup } from './webhooks/delivery-commands.js';
import { endpointGroup } from './webhooks/endpoint-commands.js';

/** The commands that every host has. The groups mirror the library's operator. */
export const OPERATOR_TABLE = {
  groups: {
    partners: partnerGroup,
    keys: keyGroup,
    companies: companyGroup,
    access: accessGroup,
    jobs: jobGroup,
    applications: applicationGroup,
    candidates: candidateGroup,
    endpoints: endpointGroup,
    deliveries: deliveryGroup,
    events: eventGroup,
    operations: operationGroup,
    inbox: inboxGroup,
    requests: requestGroup,
    portal: portalGroup,
    sandbox: sandboxGroup,
    audit: auditGroup,
    deployment: deploymentGroup,
    secrets: secretGroup,
  },
  singles: {
    status,
    find: findAnything,
    timeline: timelineOfAny,
    export: exportPerson,
    erase: eraseCandidate,
  },
} as const satisfies CommandTable;

/**
 * The commands of the program `partner-hiring`. Single commands that need a database but no operator belong here: they
 * find it with `context.database()`.
 */
export const PROGRAM_COMMANDS: CommandTable = {
  groups: OPERATOR_TABLE.groups,
  singles: {
    ...OPERATOR_TABLE.singles,
    doctor,
    migrate: migrateDatabase,
    console: consoleCommand,
    'export-all': exportAll,
    completion,
  },
};

/** Returns the commands of the program, with those of the installed storages. */
export async function loadCommands(packages: StoragePackages = INSTALLED_PACKAGES): Promise<CommandTable> {
  const { groups, singles } = PROGRAM_COMMANDS;
  return { groups: { ...groups, ...(await loadStorageGroups(packages)) }, singles };
}

/**
 * Like {@link loadCommands}, but loads no storage if the command line begins with a command that belongs to no storage.
 */
export async function loadCommandsFor(
  [first = '']: readonly string[],
  packages?: StoragePackages,
): Promise<CommandTable> {
  const { groups, singles } = PROGRAM_COMMANDS;
  const isKnown = Object.hasOwn(groups, first) || Object.hasOwn(singles, first);
  return isKnown ? PROGRAM_COMMANDS : loadCommands(packages);
}
