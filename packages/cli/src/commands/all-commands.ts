import type { CommandTable } from '../command/command.js';
import { completion } from '../completion/completion-command.js';
import { INSTALLED_PACKAGES, type StoragePackages } from '../connection/load-storage.js';
import { auditGroup } from '../features/audit/commands.js';
import { inboxGroup } from '../features/inbox/commands.js';
import { operationGroup } from '../features/operations/commands.js';
import { portalGroup } from '../features/portal/commands.js';
import { candidateGroup, exportPerson } from '../features/privacy/commands.js';
import { eraseCandidate } from '../features/privacy/erase-command.js';
import { requestGroup } from '../features/request-log/commands.js';
import { sandboxGroup } from '../features/sandbox/commands.js';
import { findAnything } from '../features/search/commands.js';
import { status } from '../features/system/commands.js';
import { deploymentGroup } from '../features/system/deployment-commands.js';
import { secretGroup } from '../features/system/secret-commands.js';
import { timelineOfAny } from '../features/timelines/commands.js';
import { applicationGroup } from '../groups/applications/application-commands.js';
import { deliveryGroup } from '../groups/deliveries/delivery-commands.js';
import { endpointGroup } from '../groups/deliveries/endpoint-commands.js';
import { eventGroup } from '../groups/deliveries/event-commands.js';
import { jobGroup } from '../groups/jobs/job-commands.js';
import { accessGroup } from '../groups/partners/access-commands.js';
import { companyGroup } from '../groups/partners/company-commands.js';
import { keyGroup } from '../groups/partners/key-commands.js';
import { partnerGroup } from '../groups/partners/partner-commands.js';
import { consoleCommand } from './console-command.js';
import { doctor } from './doctor-command.js';
import { exportAll } from './export-all-command.js';
import { migrateDatabase } from './migrate-command.js';
import { loadStorageGroups } from './storage-commands.js';

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
