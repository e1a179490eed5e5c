const HIDDEN = '…';

/** The start of a receiver's answer may echo the candidate, and the partner's own id may be an e-mail address. */
const HIDDEN_FIELDS: ReadonlySet<string> = new Set(['excerpt', 'sourceApplicationId']);

/**
 * Hides answers of receivers, the ids that partners gave their applications, and the contacts of partners, wherever a result
 * has them, including the bodies of events. Empty texts stay empty, and a contact becomes null.
 */
export function hidePartnerTexts<T>(value: T): T {
  return hide(value) as T;
}

function hide(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hide);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, hideField(name, field)]));
}

function hideField(name: string, field: unknown): unknown {
  if (typeof field !== 'string') return name === 'contact' ? null : hide(field);
  if (name === 'body') return hideInBody(field);
  return HIDDEN_FIELDS.has(name) && field !== '' ? HIDDEN : field;
}

/** The body of an event is a JSON text. Hides all of another text. */
function hideInBody(body: string): string {
  try {
    return JSON.stringify(hide(JSON.parse(body)));
  } catch {
    return HIDDEN;
  }
}
