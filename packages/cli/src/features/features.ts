import type { CommandGroup, OperatorCommand } from '../command/command.js';
import type { DoctorCheck } from '../doctor/check.js';
import type { BaseGroup } from '../groups/groups.js';
import { auditGroup } from './audit/commands.js';
import { bulkGroup } from './bulk/commands.js';
import { inboxGroup } from './inbox/commands.js';
import { inboxLine } from './inbox/status.js';
import { syncCommands } from './jobs-sync/commands.js';
import { operationGroup } from './operations/commands.js';
import { portalGroup } from './portal/commands.js';
import { candidateGroup, exportPerson } from './privacy/commands.js';
import { eraseCandidate } from './privacy/erase-command.js';
import { ERASED_ROWS } from './privacy/erased-rows-check.js';
import { readinessCommand } from './readiness/commands.js';
import { requestGroup } from './request-log/commands.js';
import { sandboxGroup } from './sandbox/commands.js';
import { findAnything } from './search/commands.js';
import { alertGroup } from './system/alert-commands.js';
import { createStatus, type StatusLine } from './system/commands.js';
import { deploymentGroup } from './system/deployment-commands.js';
import { secretGroup } from './system/secret-commands.js';
import { timelineOfAny } from './timelines/commands.js';

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
  /** Its line of `status`. */
  readonly status?: StatusLine;
  /** Checks of the doctor, after all others. */
  readonly checks?: readonly DoctorCheck[];
}

/** All features that the command line has something of, in the order of the help and of `status`. */
export const CLI_FEATURES = [
  { name: 'inbox', groups: { inbox: inboxGroup }, status: inboxLine },
  { name: 'operations', groups: { operations: operationGroup }, after: 'events' },
  { name: 'bulk', groups: { bulk: bulkGroup } },
  { name: 'jobs-sync', adds: { jobs: syncCommands } },
  { name: 'readiness', adds: { keys: { readiness: readinessCommand } } },
  { name: 'request-log', groups: { requests: requestGroup } },
  { name: 'portal', groups: { portal: portalGroup } },
  { name: 'sandbox', groups: { sandbox: sandboxGroup } },
  { name: 'audit', groups: { audit: auditGroup } },
  {
    name: 'system',
    groups: { alerts: alertGroup, deployment: deploymentGroup, secrets: secretGroup },
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

/** Returns the lines that features add to `status`. It is read when `status` runs, because a feature of the list has this command. */
function statusParts(): readonly StatusLine[] {
  return CLI_FEATURES.flatMap(({ status }: CliFeature) => status ?? []);
}
