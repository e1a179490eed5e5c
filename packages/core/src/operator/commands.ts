/** Every command of the operator: its groups with one definition for each method. */
import type { Act } from '../domain/audit.js';
import { auditDefinitions } from '../features/audit/commands.js';
import { inboxDefinitions } from '../features/inbox/commands.js';
import { jobSyncDefinitions, jobSyncerDefinitions } from '../features/jobs-sync/definitions.js';
import { operationDefinitions } from '../features/operations/commands.js';
import { operationWaiterDefinitions } from '../features/operations/wait-commands.js';
import { portalDefinitions } from '../features/portal/commands.js';
import { candidateDefinitions } from '../features/privacy/commands.js';
import { readinessDefinitions } from '../features/readiness/commands.js';
import { keyProberDefinitions } from '../features/readiness/prober-commands.js';
import { requestDefinitions } from '../features/request-log/commands.js';
import { sandboxDefinitions } from '../features/sandbox/commands.js';
import { systemDefinitions } from '../features/system/commands.js';
import { deploymentDefinitions } from '../features/system/deployment-commands.js';
import { secretDefinitions } from '../features/system/secret-commands.js';
import { timelineDefinitions } from '../features/timelines/commands.js';
import { applicationDefinitions } from '../groups/applications/application-commands.js';
import { deliveryDefinitions } from '../groups/deliveries/delivery-commands.js';
import { endpointDefinitions } from '../groups/deliveries/endpoint-commands.js';
import { endpointTesterDefinitions } from '../groups/deliveries/endpoint-tester.js';
import { eventDefinitions } from '../groups/deliveries/event-commands.js';
import { jobDefinitions } from '../groups/jobs/job-definitions.js';
import { accessDefinitions } from '../groups/partners/access-commands.js';
import { companyDefinitions } from '../groups/partners/company-commands.js';
import { keyDefinitions } from '../groups/partners/key-commands.js';
import { partnerDefinitions } from '../groups/partners/partner-commands.js';
import type { Claims } from './command/claims.js';
import type { CommandField } from './command/command-field.js';
import {
  type AnyDefinition,
  type AnyDefinitions,
  type Definitions,
  isDefinition,
} from './command/definition.js';
import { asList } from './command/one-or-many.js';
import type { CommandRight } from './command/rights.js';
import type { AllCommands, OperatorCommands } from './operator-commands.js';
import type { WithoutEach } from './page-cursor.js';

/** The definitions of groups of commands, by group. */
export type DefinitionsOf<Groups> = { readonly [Group in keyof Groups]: Definitions<Groups[Group]> };

const JOBS: Definitions<AllCommands['jobs']> = {
  ...jobDefinitions,
  syncs: { ...jobSyncDefinitions, ...jobSyncerDefinitions },
};

const KEYS: Definitions<AllCommands['keys']> = {
  ...keyDefinitions,
  ...readinessDefinitions,
  ...keyProberDefinitions,
};

const ENDPOINTS: Definitions<AllCommands['endpoints']> = {
  ...endpointDefinitions,
  ...endpointTesterDefinitions,
};

const WITHOUT_AUDIT: DefinitionsOf<Omit<OperatorCommands, 'audit'>> = {
  partners: partnerDefinitions,
  keys: { ...keyDefinitions, ...readinessDefinitions },
  companies: companyDefinitions,
  access: accessDefinitions,
  jobs: { ...jobDefinitions, syncs: jobSyncDefinitions },
  applications: applicationDefinitions,
  candidates: candidateDefinitions,
  endpoints: endpointDefinitions,
  deliveries: deliveryDefinitions,
  events: eventDefinitions,
  operations: operationDefinitions,
  inbox: inboxDefinitions,
  timelines: timelineDefinitions,
  requests: requestDefinitions,
  portal: portalDefinitions,
  sandbox: sandboxDefinitions,
  system: systemDefinitions,
};

/** The names of the commands of a group, such as `close` and `syncs.run`. */
type NamesIn<Group> = {
  [Verb in keyof WithoutEach<Group> & string]: Group[Verb] extends (...input: never[]) => unknown
    ? Verb
    : `${Verb}.${NamesIn<Group[Verb]>}`;
}[keyof WithoutEach<Group> & string];

/** A command by its name, such as `jobs.close`. */
export type CommandName = NamesIn<AllCommands>;

/** The commands that the audit records. The list of the audit takes them as choices. */
export const ACTS: readonly Act[] = named({
  ...WITHOUT_AUDIT,
  keys: KEYS,
  endpoints: ENDPOINTS,
  jobs: JOBS,
  deployment: deploymentDefinitions,
  secrets: secretDefinitions,
  audit: auditDefinitions([]),
}).flatMap(([name, { pastTense }]) => (pastTense === undefined ? [] : [name]));

/** The commands that can run in a transaction of the host. */
export const COMMANDS_WITHIN: DefinitionsOf<OperatorCommands> = {
  ...WITHOUT_AUDIT,
  audit: auditDefinitions(ACTS),
};

export const COMMANDS: DefinitionsOf<AllCommands> = {
  ...COMMANDS_WITHIN,
  keys: KEYS,
  endpoints: ENDPOINTS,
  jobs: JOBS,
  operations: { ...operationDefinitions, ...operationWaiterDefinitions },
  deployment: deploymentDefinitions,
  secrets: secretDefinitions,
};

/** Describes a command of the operator for programs, such as a console that checks rights. */
export interface CommandFacts {
  readonly name: CommandName;
  /** Describes the command. Starts with a verb. */
  readonly summary: string;
  /**
   * What the audit says that the actor did, such as `closed the job`; null if the audit does not record the command. It
   * then changes nothing and shows no personal data.
   */
  readonly pastTense: string | null;
  /** What the audit says if the command has changed several objects: `closed jobs`; null if it takes only one input. */
  readonly pastTenseOfMany: string | null;
  /** The fields of its input; of a list, the fields of its items. */
  readonly fields: readonly CommandField[];
  /**
   * The right to call the command for others: allow a call if the person has all `rights` and may touch all `claims`;
   * null if no program should offer it.
   */
  readonly guard: {
    /** Returns the rights that the caller needs, all of them. The input need not be valid. */
    rights(input: unknown): readonly CommandRight[];
    /** Returns what the call reads or changes, at least one. The input need not be valid. */
    claims(input: unknown): Claims;
  } | null;
}

/** The rights that a command needs, and what it reads or changes. The input need not be valid. */
export type CommandGuard = NonNullable<CommandFacts['guard']>;

/** Every command of the operator. */
export const OPERATOR_COMMANDS: readonly CommandFacts[] = named(
  COMMANDS as Readonly<Record<string, object>>,
).map(([name, definition]) => ({
  name: name as CommandName,
  summary: definition.summary,
  pastTense: definition.pastTense ?? null,
  pastTenseOfMany: definition.pastTenseOfMany ?? null,
  fields: definition.input.fields,
  guard: guardOf(definition),
}));

/** Returns what a command needs. Null for a command that no program should offer to others. */
export function guardOf({ right, claims, input: { takesMany } }: AnyDefinition): CommandGuard | null {
  if (right === undefined) return null;
  // An empty list changes nothing, but needs the right.
  const inputsIn = (given: unknown) => {
    const inputs = takesMany === true ? asList(given) : [given];
    const [first = {}, ...others] = inputs.map((each) => each ?? {});
    return [first, ...others] as [never, ...never[]];
  };
  return {
    rights: (given) => (typeof right === 'function' ? inputsIn(given).flatMap(right) : [right]),
    claims: (given) => {
      const [first, ...others] = inputsIn(given);
      return [...claims(first), ...others.flatMap(claims)];
    },
  };
}

function named(groups: Readonly<Record<string, object>>): readonly (readonly [Act, AnyDefinition])[] {
  return Object.entries(groups).flatMap(([group, definitions]) =>
    namedIn(group, definitions as AnyDefinitions),
  );
}

function namedIn(group: string, definitions: AnyDefinitions): readonly (readonly [Act, AnyDefinition])[] {
  return Object.entries(definitions).flatMap(([verb, entry]) => {
    const name = `${group}.${verb}` as const;
    return isDefinition(entry) ? [[name, entry] as const] : namedIn(name, entry);
  });
}
