import { coloured } from '../console-output.js';
import { DemoFailure } from './demo-failure.js';

/** Plays one step: says what happens, and what came of it. */
export type Step = <Value>(title: string, play: () => Promise<Told<Value>>) => Promise<Value>;

/** What a step found, and how it is told. */
export interface Told<Value> {
  readonly value: Value;
  readonly told: string;
}

/** Prints the steps in their order. A step that fails is named in the failure. */
export function createStoryteller(): Step {
  let number = 0;
  return async (title, play) => {
    number += 1;
    const heading = `${String(number).padStart(2)}. ${title}`;
    try {
      const { value, told } = await play();
      console.log(`${coloured('green', '✓')} ${heading}\n      ${coloured('dim', told)}`);
      return value;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new DemoFailure(`${heading}: ${reason}`, { cause: error });
    }
  };
}
