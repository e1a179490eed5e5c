/** How many characters of an id tell it apart from others. */
const TAIL = 6;

/** Writes the end of an id, such as `…7f3k2q`. */
export function shortId(id: string): string {
  return id.length <= TAIL ? id : `…${id.slice(-TAIL)}`;
}

/** An id: its beginning and its end, the whole id on hover, and a button that copies it. */
export function Id({ value }: { readonly value: string }) {
  return (
    <span class="id">
      <code title={value}>
        <span class="head">{value.slice(0, -TAIL)}</span>
        {value.slice(-TAIL)}
      </code>
      <CopyButton text={value} label="Copy the id" />
    </span>
  );
}

/** Shows a secret, with a button that copies it. */
export function Secret({ value }: { readonly value: string }) {
  return (
    <span class="secret">
      <code>{value}</code>
      <CopyButton text={value} label="Copy" isNamed />
    </span>
  );
}

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** Whether the label is shown. Otherwise, the button has only a sign. */
  readonly isNamed?: boolean;
}

/** A button that copies a text. Only scripting can copy, so the script shows it. */
export function CopyButton({ text, label, isNamed = false }: CopyButtonProps) {
  return (
    <button
      type="button"
      class={isNamed ? 'copy secondary named' : 'copy'}
      data-copy={text}
      aria-label={isNamed ? undefined : label}
      title={isNamed ? undefined : label}
      hidden
    >
      {isNamed ? label : null}
    </button>
  );
}
