/** A page for people, before it is written in one form or another. Texts mark code with backticks. */
export interface Guide {
  readonly title: string;
  readonly blocks: readonly GuideBlock[];
}

/** A piece of a page. */
export type GuideBlock =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly GuideRow[] }
  /** Lines for a shell. */
  | { readonly kind: 'shell'; readonly text: string };

/** A row of a table, a text for each column. */
export type GuideRow = readonly string[];
