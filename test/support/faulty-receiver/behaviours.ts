import type { Behaviour } from './behaviour.js';
import { BODIES } from './bodies.js';
import { FRAMING } from './framing.js';
import { GARBAGE } from './garbage.js';
import { REDIRECTS } from './redirects.js';
import { RESETS, TLS } from './resets.js';
import { SLOW } from './slow.js';
import { STATUSES } from './statuses.js';

/** All behaviors. */
export const BEHAVIOURS: readonly Behaviour[] = [
  ...SLOW,
  ...BODIES,
  ...REDIRECTS,
  ...STATUSES,
  ...RESETS,
  ...TLS,
  ...GARBAGE,
  ...FRAMING,
];
