import { type Actor, type Door, PARTNER_PREFIX, SYSTEM_PREFIX } from '../domain/audit.js';
import { name, optional, orNull } from './command/fields.js';
import { namedError, record } from './command/input.js';

/** The caller of the commands, for the audit. */
export interface ActorInput {
  /** Your own id of the person or the program: 1 to 200 characters. Ids that start with `system:` or `partner:` are reserved. */
  readonly id: string;
  /** The name of the person or the program, for the audit: 1 to 200 characters; default: none. */
  readonly name?: string | undefined;
  /**
   * Why the actor acts, such as a ticket: 1 to 500 characters; default: none. Do not write a candidate's data into it.
   */
  readonly reason?: string | undefined;
}

const ID_MAX_LENGTH = 200;
const REASON_MAX_LENGTH = 500;

const actor = record(
  {
    id: name(ID_MAX_LENGTH)
      .refine((id) => !id.startsWith(SYSTEM_PREFIX), {
        error: `must not start with ${SYSTEM_PREFIX}, which marks automatic acts`,
      })
      .refine((id) => !id.startsWith(PARTNER_PREFIX), {
        error: `must not start with ${PARTNER_PREFIX}, which marks acts of partners`,
      }),
    name: optional(orNull(name(ID_MAX_LENGTH))),
    reason: optional(orNull(name(REASON_MAX_LENGTH))),
  },
  undefined,
  'the actor',
);

/** @throws OperatorError `INVALID_INPUT`. */
export function readActor(input: ActorInput, door: Door): Actor {
  try {
    actor.check(input);
  } catch (error) {
    throw namedError('as', error);
  }
  const { id, name = null, reason = null } = input;
  return { id, name, reason, door };
}
