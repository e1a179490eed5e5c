/** What became of an insert that a unique constraint may refuse. */
export type Added = 'added' | 'exists';
