import type { Operator } from '@partner-hiring/core';
import type { ConsoleActor } from '../actor.js';
import type { CheckedConsoleOptions } from '../options.js';
import { parseActor } from '../parse-actor.js';

/** The actor hook threw, took too long or returned something else than an actor. */
export class ActorUnknown extends Error {
  override readonly name = 'ActorUnknown';
}

/**
 * Asks the host who sent a request. Returns null if the sender may not use the console.
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

function checked(answer: unknown, operator: Operator<unknown>): ConsoleActor {
  const parsed = parseActor(answer);
  if ('problem' in parsed) throw new ActorUnknown(`The actor hook returned an actor ${parsed.problem}`);
  const { id, name } = parsed.actor;
  assertActs(operator, { id, name });
  return parsed.actor;
}

/** Asks the actor hook. @throws ActorUnknown if it fails, or takes too long. */
export async function within<T>(timeoutMs: number, ask: () => Promise<T>): Promise<T> {
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

/** The operator refuses some ids, such as those that mark automatic acts. */
function assertActs(operator: Operator<unknown>, actor: Pick<ConsoleActor, 'id' | 'name'>): void {
  try {
    operator.as(actor);
  } catch (error) {
    throw new ActorUnknown('The operator refuses the actor of the actor hook.', { cause: error });
  }
}
