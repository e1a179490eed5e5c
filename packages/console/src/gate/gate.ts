import {
  type ApplicationId,
  type CommandName,
  callCommand,
  type InputOf,
  OPERATOR_COMMANDS,
  type Operator,
  OperatorError,
  type ResultFor,
  type ResultOf,
} from '@partner-hiring/core';
import type { ConsoleActor } from '../actor.js';
import type { ConsoleRight } from '../rights.js';
import { NothingHere } from './refusals.js';

const GUARDS = new Map(OPERATOR_COMMANDS.map(({ name, guard }) => [name, guard]));

/** More applications than a person has. */
const MOST_OF_A_PERSON = 1_000;

/** A command for all applications of a person. */
export type PersonCommand = 'applications.list' | 'candidates.export' | 'candidates.erase';

/** A person, by one of their applications. */
export interface Person {
  readonly id: ApplicationId;
  readonly by: 'email' | 'phone';
}

/** The operator's commands, as far as the rights of an actor go. Screens call nothing else. */
export interface Gate {
  readonly actor: ConsoleActor;
  may(right: ConsoleRight): boolean;
  /** Checks a right before anything is read. @throws OperatorError `RIGHT_MISSING` */
  require(right: ConsoleRight): void;
  /**
   * Calls a command for everybody with the e-mail address or the phone number of an application. The caller does not
   * see the address or the number.
   * @throws NothingHere for an unknown application, for an erased one, and for an actor for some partners.
   */
  callForPerson<Name extends PersonCommand>(name: Name, person: Person): Promise<ResultOf<Name>>;
  /** Whether the rights include those that a command needs for an input. Says nothing about the objects. */
  mayCall<Name extends CommandName>(name: Name, input: InputOf<Name>): boolean;
  /** Whether the actor's rights cover all partners. */
  readonly isForAllPartners: boolean;
  /**
   * Calls a command as the actor, as `operator.limitedTo` describes.
   * @throws OperatorError as the command does, or `RIGHT_MISSING`, or as for an object that does not exist.
   */
  call<Name extends CommandName, const Given extends InputOf<Name>>(
    name: Name,
    input: Given,
  ): Promise<ResultFor<Name, Given>>;
}

/**
 * Opens the gate for an actor.
 * @param reason - why the actor acts, for the audit. Null for no reason.
 */
export function createGate(operator: Operator<unknown>, actor: ConsoleActor, reason: string | null): Gate {
  const { id, name, rights, partnerIds } = actor;
  const limited = operator.through('console').limitedTo({ partnerIds, rights });
  const acting = limited.as({ id, name, reason: reason ?? undefined });
  const may = (right: ConsoleRight) => rights.includes(right);
  const require = (right: ConsoleRight) => {
    if (may(right)) return;
    throw new OperatorError('RIGHT_MISSING', `This needs the right ${right}. Nothing was changed.`);
  };

  const gate: Gate = {
    actor,
    may,
    require,
    callForPerson: async (command, { id, by }) => {
      if (partnerIds !== 'all') throw new NothingHere();
      GUARDS.get(command)?.rights({ email: '' }).forEach(require);
      const found = await operator.applications.find({ id });
      if (found === null || found.erasedAt !== null) throw new NothingHere();
      const { email, phone } = found.candidate;
      const target = by === 'email' ? { email } : { phone };
      const more = command === 'applications.list' ? { limit: MOST_OF_A_PERSON } : {};
      const result = await gate.call(command, { ...target, ...more } as InputOf<typeof command>);
      return result as ResultOf<typeof command>;
    },
    mayCall: (command, input) => GUARDS.get(command)?.rights(input).every(may) ?? false,
    isForAllPartners: partnerIds === 'all',
    call: (command, input) => callCommand(acting, command, input),
  };
  return gate;
}
