import type { PartnerId } from '@partner-hiring/core';
import type { ConsoleActor } from './actor.js';
import { isLibraryId } from './http/library-id.js';
import { isConsoleRight } from './rights.js';

/** An actor, or what is wrong with the value: the rest of a sentence that begins with "an actor", and the fix. */
export type ParsedActor = { readonly actor: ConsoleActor } | { readonly problem: string };

const FIELDS: readonly string[] = ['id', 'name', 'rights', 'partnerIds'];
const MOST_PARTNERS = 100;
const NAME_MAX_LENGTH = 200;
const PARTNERS_FIX = `Set \`partnerIds: 'all'\` for all partners, or list at most ${MOST_PARTNERS} ids, such as ['ptn_…'].`;

/**
 * Copies an actor and checks the copy. Reads each field and each entry of a list once, so that a getter or a later change
 * cannot alter what was checked. Throws only if reading throws.
 */
export function parseActor(given: unknown): ParsedActor {
  if (typeof given !== 'object' || given === null) {
    return { problem: 'that is neither an object nor null.' };
  }
  const fields: Readonly<Record<string, unknown>> = { ...given };
  const unknown = Reflect.ownKeys(fields).find((name) => !FIELDS.includes(String(name)));
  if (unknown !== undefined) {
    const name = typeof unknown === 'string' ? JSON.stringify(unknown) : String(unknown);
    return {
      problem: `with the unknown field ${name}. Remove or rename it: the fields are ${FIELDS.join(', ')}.`,
    };
  }
  const { id, name } = fields;
  if (!isName(id)) return { problem: 'without an `id` of 1 to 200 characters.' };
  if (!isName(name)) return { problem: 'without a `name` of 1 to 200 characters.' };
  const rights = copyOf(fields.rights);
  if (rights === null)
    return { problem: 'without a list `rights`. Set it to an array, such as CONSOLE_RIGHTS.support.' };
  const isKnown = rights.every(isConsoleRight);
  if (!isKnown) {
    const wrong = rights.find((right) => !isConsoleRight(right));
    return {
      problem: `with the unknown right ${textOf(wrong)} in \`rights\`. Use the names of ConsoleRight.`,
    };
  }
  const partnerIds = partnersOf(fields.partnerIds);
  if (typeof partnerIds === 'object' && 'problem' in partnerIds) return partnerIds;
  return { actor: { id, name, rights, partnerIds } };
}

function partnersOf(given: unknown): ConsoleActor['partnerIds'] | { readonly problem: string } {
  if (given === 'all') return given;
  if (given === undefined) return { problem: `without \`partnerIds\`. ${PARTNERS_FIX}` };
  const ids = copyOf(given);
  if (ids === null) return { problem: `whose \`partnerIds\` is neither 'all' nor an array. ${PARTNERS_FIX}` };
  if (!ids.every(isPartnerId)) {
    return { problem: `whose \`partnerIds\` contains something else than ids of partners. ${PARTNERS_FIX}` };
  }
  const different = [...new Set(ids)];
  if (different.length <= MOST_PARTNERS) return different;
  return { problem: `whose \`partnerIds\` has ${different.length} different partners. ${PARTNERS_FIX}` };
}

/** Copies an array without calling its iterator. Gaps become undefined. Null for any other value. */
function copyOf(given: unknown): readonly unknown[] | null {
  if (!Array.isArray(given)) return null;
  const { length } = given;
  return Array.from({ length }, (_, index): unknown => given[index]);
}

/** Returns whether a value is the id of a partner. */
export function isPartnerId(value: unknown): value is PartnerId {
  return typeof value === 'string' && isLibraryId('partner', value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : `of type ${typeof value}`;
}

/** Returns whether a value is a name of 1 to 200 characters. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= NAME_MAX_LENGTH;
}
