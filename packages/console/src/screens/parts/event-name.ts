import { labelOf } from './choices.js';

/** Writes the type of an event in words: `job.opened` as `Job opened`. */
export function eventName(type: string): string {
  return labelOf(type);
}
