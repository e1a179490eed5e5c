import { z } from 'zod';
import { ID_PREFIXES } from '../../domain/ids.js';

/** A date-time as `toIso` spells it. */
export const dateTime = () => z.string().meta({ format: 'date-time' });

/** An identifier of that kind: its prefix, then whatever the host chose. */
export const idOf = (kind: keyof typeof ID_PREFIXES) => z.string().meta({ pattern: `^${ID_PREFIXES[kind]}` });

/** The partner's own identifier of an application. */
export const sourceApplicationId = () =>
  z.string().nullable().describe('Your own identifier, as you sent it; null if you sent none.');
