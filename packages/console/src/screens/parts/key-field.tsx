import type { KeyView } from '@partner-hiring/core';
import { IdField, SelectField } from '../../view/forms.js';

/** Chooses a key: from a list, or by its id if the actor may not list keys. */
export function KeyField({
  name,
  label = 'Partner key',
  keys,
  value = null,
  any,
}: {
  readonly name: string;
  readonly label?: string;
  readonly keys: readonly KeyView[];
  readonly value?: string | null;
  /** The text of the empty choice. Without it, a key must be chosen. */
  readonly any?: string | undefined;
}) {
  const isListed = value === null || keys.some(({ key }) => key.id === value);
  if (keys.length === 0 || !isListed) return <IdField of="key" name={name} label={label} value={value} />;
  const options = keys.map(({ key, label: text }) => [key.id, text] as const);
  return <SelectField name={name} label={label} value={value} options={options} any={any} />;
}
