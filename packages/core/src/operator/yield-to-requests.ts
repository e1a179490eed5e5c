import { othersTurn } from './in-parts.js';

type Command = (...input: readonly unknown[]) => Promise<unknown>;

/**
 * Wraps commands so that the event loop turns between them. At most two commands begin in one turn if each is awaited.
 *
 * SQLite answers without a turn of the event loop. Without this, a host that awaits commands in a loop would hold every
 * request and every timer of the process until the loop ends. The first command of a turn begins at once, so a host
 * that handles a request with one command does not wait.
 */
export function yieldToRequests<Commands extends object>(commands: Commands): Commands {
  /** Ends with the turn in which a command began; null in a turn without one. */
  let turn: Promise<void> | null = null;

  function begin(): Promise<void> | undefined {
    if (turn !== null) return turn;
    turn = othersTurn().then(() => {
      turn = null;
    });
    return undefined;
  }

  const yielding = (command: Command): Command => {
    return async (...input) => {
      await begin();
      return command(...input);
    };
  };

  const groups = Object.entries(commands).map(([group, named]) => {
    const wrapped = Object.entries(named as Record<string, Command>).map(([name, command]) => [
      name,
      yielding(command),
    ]);
    return [group, Object.fromEntries(wrapped)];
  });
  return Object.fromEntries(groups) as Commands;
}
