import type { Operator } from '@partner-hiring/core';
import type { ConsoleActor } from '../actor.js';
import type { CheckedConsoleOptions } from '../options.js';
import { isConsoleRight } from '../rights.js';

/** The actor hook threw, took too long or returned something else than an actor. */
export class ActorUnknown extends Error {
  override readonly name = 'ActorUnknown';
}

const MOST_PARTNERS = 100;
const NAME_MAX_LENGTH = 200;

/**
 * Asks the host who sent a request. Null for somebody who may not use the console.
 * @throws ActorUnknown if the hook fails in any way. Nobody is let in then.
 */
export async function readConsoleActor(
  { actor: hook, timeoutMs, operator }: Pick<CheckedConsoleOptions, 'actor' | 'timeoutMs' | 'operator'>,
  request: Request,
  host: unknown,
): Promise<ConsoleActor | null> {
  const answer: unknown = await within(timeoutMs, async () => hook(request, host));
  if (answer === null) return null;
  try {
    return checked(answer, operator);
  } catch (error) {
    // Reading what the host returned may throw too.
    throw error instanceof ActorUnknown
      ? error
      : new ActorUnknown('The answer of the actor hook could not be read.', { cause: error });
  }
}

/** Copies the actor, so that the host cannot change it during the request. */
function checked(answer: unknown, operator: Operator<unknown>): ConsoleActor {
  const problem = problemOf(answer);
  if (problem !== null) throw new ActorUnknown(`The actor hook returned an actor ${problem}.`);
  const { id, name, rights, partnerIds } = answer as ConsoleActor;
  assertActs(operator, { id, name });
  return {
    ...{ id, name, rights: [...rights] },
    ...(partnerIds === undefined ? {} : { partnerIds: [...partnerIds] }),
  };
}

async function within<T>(timeoutMs: number, ask: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const late = () => reject(new ActorUnknown(`The actor hook did not answer within ${timeoutMs} ms.`));
    timer = setTimeout(late, timeoutMs);
  });
  try {
    return await Promise.race([ask(), timeout]);
  } catch (error) {
    if (error instanceof ActorUnknown) throw error;
    throw new ActorUnknown('The actor hook failed.', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function problemOf(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return 'that is neither an object nor null';
  const { id, name, rights, partnerIds } = answer as Readonly<Record<string, unknown>>;
  if (!isName(id)) return 'without an `id` of 1 to 200 characters';
  if (!isName(name)) return 'without a `name` of 1 to 200 characters';
  if (!Array.isArray(rights)) return 'without a list `rights`';
  // Unlike `some`, `Array.from` does not skip the gaps of a sparse list.
  const unknown = Array.from<unknown>(rights).filter((right) => !isConsoleRight(right));
  if (unknown.length > 0) return `with the unknown right ${textOf(unknown[0])}`;
  if (partnerIds === undefined) return null;
  if (!Array.isArray(partnerIds) || partnerIds.length > MOST_PARTNERS) {
    return `whose \`partnerIds\` is not a list of at most ${MOST_PARTNERS} ids. Omit it for all partners`;
  }
  const ids = Array.from<unknown>(partnerIds);
  const areIds = ids.every((one) => typeof one === 'string' && one.startsWith('ptn_'));
  return areIds ? null : 'with a partner id that does not start with ptn_';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : `of type ${typeof value}`;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= NAME_MAX_LENGTH;
}

/** The operator refuses some ids, such as those that mark automatic acts. */
function assertActs(operator: Operator<unknown>, actor: Pick<ConsoleActor, 'id' | 'name'>): void {
  try {
    operator.as(actor);
  } catch (error) {
    throw new ActorUnknown('The operator refuses the actor of the actor hook.', { cause: error });
  }
}
