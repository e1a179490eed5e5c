import { coloured, print } from '../console-output.js';
import { DemoFailure } from './demo-failure.js';

/** Runs one step, and prints its heading and result. */
export type Step = <Value>(title: string, play: () => Promise<Told<Value>>) => Promise<Value>;

/** The value of a step and its description. */
export interface Told<Value> {
  readonly value: Value;
  readonly told: string;
}

/** Prints the steps in order. A failure names its step. */
export function createStoryteller(): Step {
  let number = 0;
  return async (title, play) => {
    number += 1;
    const heading = `${String(number).padStart(2)}. ${title}`;
    try {
      const { value, told } = await play();
      print(`${coloured('green', '✓')} ${heading}\n      ${coloured('dim', told)}`);
      return value;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new DemoFailure(`${heading}: ${reason}`, { cause: error });
    }
  };
}
