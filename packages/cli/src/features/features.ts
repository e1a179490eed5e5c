import type { CommandGroup, OperatorCommand } from '../command/command.js';
import type { DoctorCheck } from '../doctor/check.js';
import type { BaseGroup } from '../groups/groups.js';
import type { StatusPart } from '../report/status-part.js';
import { alertStatus } from './alerts/status.js';
import { auditGroup } from './audit/commands.js';
import { inboxGroup } from './inbox/commands.js';
import { inboxStatus } from './inbox/status.js';
import { syncCommands } from './jobs-sync/commands.js';
import { jobSyncStatus } from './jobs-sync/status.js';
import { operationGroup } from './operations/commands.js';
import { operationStatus } from './operations/status.js';
import { portalGroup } from './portal/commands.js';
import { candidateGroup, exportPerson } from './privacy/commands.js';
import { eraseCandidate } from './privacy/erase-command.js';
import { ERASED_ROWS } from './privacy/erased-rows-check.js';
import { readinessCommand } from './readiness/commands.js';
import { requestGroup } from './request-log/commands.js';
import { resumeStatus } from './resumes/status.js';
import { sandboxGroup } from './sandbox/commands.js';
import { findAnything } from './search/commands.js';
import { createStatus } from './system/commands.js';
import { deploymentGroup } from './system/deployment-commands.js';
import { secretGroup } from './system/secret-commands.js';
import { timelineOfAny } from './timelines/commands.js';
import { totalGroup } from './totals/commands.js';

/** The declaration of a feature for the command line. */
export interface CliFeature {
  /** The name of its room, as in core. */
  readonly name: string;
  readonly groups?: Readonly<Record<string, CommandGroup>>;
  /** The group behind which the help lists its groups. By default, they come last. */
  readonly after?: BaseGroup;
  /** Commands that it adds to other groups. */
  readonly adds?: Readonly<Partial<Record<BaseGroup, CommandGroup['commands']>>>;
  /** Commands without a group. */
  readonly singles?: Readonly<Record<string, OperatorCommand>>;
  readonly status?: StatusPart;
  /** Checks of the doctor, after all others. */
  readonly checks?: readonly DoctorCheck[];
}

/** All features that the command line has something of, in the order of the help and of `status`. */
export const CLI_FEATURES = [
  { name: 'alerts', status: alertStatus },
  { name: 'inbox', groups: { inbox: inboxGroup }, status: inboxStatus },
  { name: 'resumes', status: resumeStatus },
  { name: 'operations', groups: { operations: operationGroup }, after: 'events', status: operationStatus },
  { name: 'jobs-sync', adds: { jobs: syncCommands }, status: jobSyncStatus },
  { name: 'readiness', adds: { keys: { readiness: readinessCommand } } },
  { name: 'request-log', groups: { requests: requestGroup } },
  { name: 'portal', groups: { portal: portalGroup } },
  { name: 'sandbox', groups: { sandbox: sandboxGroup } },
  { name: 'totals', groups: { totals: totalGroup } },
  { name: 'audit', groups: { audit: auditGroup } },
  {
    name: 'system',
    groups: { deployment: deploymentGroup, secrets: secretGroup },
    singles: { status: createStatus(statusParts) },
  },
  { name: 'search', singles: { find: findAnything } },
  { name: 'timelines', singles: { timeline: timelineOfAny } },
  {
    name: 'privacy',
    groups: { candidates: candidateGroup },
    after: 'applications',
    singles: { export: exportPerson, erase: eraseCandidate },
    checks: [ERASED_ROWS],
  },
] as const satisfies readonly CliFeature[];

/** Returns the parts of `status`. It is read when `status` runs, because a feature of the list has this command. */
function statusParts(): readonly StatusPart[] {
  return CLI_FEATURES.flatMap(({ status }: CliFeature) => status ?? []);
}
