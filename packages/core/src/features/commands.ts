import { joinParts } from '../domain/optional.js';
import { createOperationStepper } from '../operator/operations/operation-stepper.js';
import type { OperatorHooks, Runner } from '../operator/scope.js';
import type { OperationStepper } from '../ports/steppers.js';
/** Every command of the operator, from the groups and the features. */

import type { Act } from '../domain/audit.js';
import { BASE_COMMANDS, BASE_COMMANDS_ALONE, BASE_PLANS } from '../groups/groups.js';
import {
  type AnyDefinition,
  type AnyDefinitions,
  type CommandGroups,
  isDefinition,
} from '../operator/command/definition.js';
import { describeCommands, recordedActs } from '../operator/command/facts.js';
import { type CommandTables, createOperator, type OperatorParts } from '../operator/operator.js';
import type { Feature } from './feature.js';
import { FEATURES } from './features.js';

/** Returns the commands of the groups and of these features. */
export function commandsOf(features: readonly Feature[]): CommandTables {
  // The list of the audit takes the acts as choices.
  const acts = recordedActs(tablesOf(features, []).all);
  return tablesOf(features, acts);
}

function tablesOf(features: readonly Feature[], acts: readonly Act[]): CommandTables {
  const within = features.map(({ commands = {} }) =>
    typeof commands === 'function' ? commands(acts) : commands,
  );
  const alone = features.map(({ commandsAlone = {} }) => commandsAlone);
  const inTransaction = [BASE_COMMANDS, ...within].reduce(merged);
  return { within: inTransaction, all: [inTransaction, BASE_COMMANDS_ALONE, ...alone].reduce(merged) };
}

function merged(some: CommandGroups, more: CommandGroups): CommandGroups {
  return mergedEntries(some, more, (group, added) => mergedEntries(group, added, mergedInGroup));
}

/** Merges a group within a group. */
function mergedInGroup(some: AnyDefinition | AnyDefinitions, more: AnyDefinition | AnyDefinitions) {
  if (isDefinition(some) || isDefinition(more)) throw new Error('A command is defined twice.');
  return { ...some, ...more };
}

function mergedEntries<Entry>(
  some: Readonly<Record<string, Entry>>,
  more: Readonly<Record<string, Entry>>,
  mergedEntry: (some: Entry, more: Entry) => Entry,
): Readonly<Record<string, Entry>> {
  const result = { ...some };
  for (const [name, entry] of Object.entries(more)) {
    const present = result[name];
    result[name] = present === undefined ? entry : mergedEntry(present, entry);
  }
  return result;
}

export const COMMANDS = commandsOf(FEATURES);

/** The commands that the audit records. */
export const ACTS = recordedActs(COMMANDS.all);

/** Every command of the operator. */
export const OPERATOR_COMMANDS = describeCommands(COMMANDS.all);

/** Makes the operator with the commands of the groups and of these features. */
export function createOperatorOf<HostTx>(
  options: OperatorParts<HostTx>['options'],
  features: readonly Feature[] = FEATURES,
  observers: Pick<OperatorParts<HostTx>, 'observeEndpoints' | 'observePartners'> = {},
) {
  const tables = features === FEATURES ? COMMANDS : commandsOf(features);
  return createOperator({
    ...observers,
    options,
    tables,
    views: features.flatMap(({ views }) => views ?? []),
  });
}

/** Makes what runs the steps of operations of the groups and of these features. */
export function createStepperOf(runner: Runner, features: readonly Feature[] = FEATURES): OperationStepper {
  return createOperationStepper(runner, joinParts([BASE_PLANS, ...features.map(({ plans }) => plans)]));
}

/** Returns what these features do in the commands of others. */
export function hooksOf(features: readonly Feature[] = FEATURES): readonly OperatorHooks[] {
  return features.flatMap(({ hooks }) => hooks ?? []);
}
