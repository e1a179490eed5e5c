import { OperatorError } from '@partner-hiring/core';

/** Returns whether a command succeeded. Only OperatorError is expected. */
export async function isTaken(command: Promise<unknown>): Promise<boolean> {
  try {
    await command;
    return true;
  } catch (error) {
    if (error instanceof OperatorError) return false;
    throw error;
  }
}
