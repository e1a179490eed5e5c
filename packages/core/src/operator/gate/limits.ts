import type { PartnerId } from '../../domain/ids.js';
import { OperatorError } from '../../errors.js';
import { value } from '../command/fields.js';
import { namedError, record } from '../command/input.js';
import { COMMAND_RIGHTS, type CommandRight } from '../command/rights.js';

/** What somebody may do with the commands of the operator. */
export interface OperatorLimits {
  /**
   * The partners whose objects the caller may see and change, or `'all'`. An empty list means no partner. The caller
   * reads the jobs and companies to which one of these partners has access.
   */
  readonly partnerIds: 'all' | readonly PartnerId[];
  /** Only commands that need no other right, of `COMMAND_RIGHTS`; an empty list means none. */
  readonly rights: readonly CommandRight[];
}

const isTexts = (given: unknown): given is readonly unknown[] =>
  Array.isArray(given) && given.every((each) => typeof each === 'string');

const isRights = (given: unknown) =>
  isTexts(given) && given.every((each) => COMMAND_RIGHTS.some((right) => right === each));

const limits = record(
  {
    partnerIds: value((given) => given === 'all' || isTexts(given), "must be 'all' or a list of ids"),
    rights: value(isRights, 'must be a list of rights of COMMAND_RIGHTS'),
  },
  undefined,
  'the limits',
);

/** Copies limits, because the caller may change its lists. @throws OperatorError `INVALID_INPUT`. */
export function readLimits(given: OperatorLimits): OperatorLimits {
  try {
    limits.check(given);
  } catch (error) {
    throw namedError('limitedTo', error);
  }
  const { partnerIds, rights } = given;
  return { partnerIds: partnerIds === 'all' ? 'all' : [...partnerIds], rights: [...rights] };
}

/** Refuses a caller without a right. @throws OperatorError `RIGHT_MISSING`. */
export function assertRight<Right extends string>(rights: readonly Right[], right: Right): void {
  if (rights.includes(right)) return;
  throw new OperatorError('RIGHT_MISSING', `This needs the right ${right}. Nothing was changed.`);
}
