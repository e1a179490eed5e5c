const PART = String.raw`[A-Za-z0-9_\-]{1,120}`;

/** The forms of the library's own ids, for the attribute `pattern` of a text field. */
const FORMS = {
  application: `ej_app_${PART}`,
  company: `co_${PART}`,
  event: `evt_${PART}`,
  job: `job_${PART}`,
  key: `key_${PART}`,
  partner: `ptn_${PART}`,
  request: `[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`,
} as const;

/** A kind of id that may be in an address. */
export type LibraryIdKind = keyof typeof FORMS;

/** Returns whether ids of this kind are ours. */
export function isLibraryIdKind(kind: string): kind is LibraryIdKind {
  return Object.hasOwn(FORMS, kind);
}

/** Returns whether a text has the form of an id of ours of any kind. */
export function isAnyLibraryId(text: string): boolean {
  return Object.keys(FORMS).some((kind) => isLibraryIdKind(kind) && isLibraryId(kind, text));
}

/** Returns the pattern of such ids for a text field. It allows blanks around the id. */
export function libraryIdPattern(kind: LibraryIdKind): string {
  return String.raw`\s*${FORMS[kind]}\s*`;
}

/** Returns whether a text has the form of such an id. A URL may contain the text only if it has. */
export function isLibraryId(kind: LibraryIdKind, text: string): boolean {
  return new RegExp(`^(?:${FORMS[kind]})$`).test(text);
}
