/** Every command of the operator, from the groups and the features. */

import type { Act } from '../domain/audit.js';
import { joinParts } from '../domain/optional.js';
import { BASE_COMMANDS, BASE_COMMANDS_ALONE, BASE_PLANS } from '../groups/groups.js';
import { type AnyDefinition, type AnyDefinitions, isDefinition } from '../operator/command/definition.js';
import { describeCommands, recordedActs } from '../operator/command/facts.js';
import { createOperationStepper } from '../operator/operations/operation-stepper.js';
import { type CommandTables, createOperator, type OperatorParts } from '../operator/operator.js';
import type { OperatorHooks, Runner } from '../operator/scope.js';
import type { OperationStepper } from '../ports/steppers.js';
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
  const inTransaction = [BASE_COMMANDS, ...within].reduce((some, more) => merged(some, more));
  return {
    within: inTransaction,
    all: [inTransaction, BASE_COMMANDS_ALONE, ...alone].reduce((some, more) => merged(some, more)),
  };
}

/** Joins groups, and the groups within them. */
function merged<Groups extends AnyDefinitions>(some: Groups, more: Groups): Groups {
  const all: Record<string, AnyDefinition | AnyDefinitions> = { ...some };
  for (const [name, entry] of Object.entries(more)) {
    const present = all[name];
    if (present !== undefined && (isDefinition(present) || isDefinition(entry)))
      throw new Error(`The command ${name} is defined twice.`);
    all[name] = present === undefined ? entry : merged(present, entry as AnyDefinitions);
  }
  return all as unknown as Groups;
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
