import { z } from 'zod';
import { ID_PREFIXES } from '../../domain/ids.js';

export const dateTime = () => z.string().meta({ format: 'date-time' });

export const idOf = (kind: keyof typeof ID_PREFIXES) => z.string().meta({ pattern: `^${ID_PREFIXES[kind]}` });

export const sourceApplicationId = () =>
  z.string().nullable().describe('Your own identifier, as you sent it; null if you sent none.');

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Compiles only if the two types are assignable to each other. */
export function same<A, B>(_isSame: Same<A, B>): void {}
