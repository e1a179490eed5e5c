import { type Actor, SYSTEM_PREFIX } from '../domain/audit.js';
import { inspect, inspectKnownNames, inspectName, inspectRecord, isText } from './input.js';

/** Who calls the commands, for the audit. */
export interface ActorInput {
  /** Your own id of the person or the program: 1 to 200 characters. Ids that start with `system:` are reserved. */
  readonly id: string;
  /** 1 to 200 characters. */
  readonly name?: string | undefined;
  /** Why the actor acts, such as a ticket: 1 to 500 characters. Do not write a candidate's data into it. */
  readonly reason?: string | undefined;
}

const NAMES = ['id', 'name', 'reason'] as const satisfies readonly (keyof ActorInput)[];
const ID_MAX_LENGTH = 200;
const REASON_MAX_LENGTH = 500;

/** @throws OperatorError `INVALID_INPUT`. */
export function readActor(input: ActorInput): Actor {
  const inspection = inspect('as');
  inspectRecord(inspection, input, 'the actor');
  inspection.end();
  inspectKnownNames(inspection, input, NAMES, '');
  const { id, name = null, reason = null } = input;
  inspectName(inspection, id, 'id', ID_MAX_LENGTH);
  const isReserved = isText(id, ID_MAX_LENGTH) && id.startsWith(SYSTEM_PREFIX);
  inspection.expect(!isReserved, 'id', `must not start with ${SYSTEM_PREFIX}, which marks automatic acts`);
  if (name !== null) inspectName(inspection, name, 'name', ID_MAX_LENGTH);
  if (reason !== null) inspectName(inspection, reason, 'reason', REASON_MAX_LENGTH);
  inspection.end();
  return { id, name, reason };
}
