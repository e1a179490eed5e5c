import type { KeyView } from '@partner-hiring/core';
import { MOST_KEYS } from '../../gate/keys-in-scope.js';
import { LABELS } from '../../labels.js';
import { IdField, SelectField } from '../../view/forms.js';

/** Says that a menu of names is cut, and how to choose another name. */
export function moreText(count: number, of: string): string {
  return `Only the first ${count} ${of}. To choose another one, find it with the search at the top: its page links here.`;
}

function moreKeysText(keys: readonly KeyView[], of: string): string | undefined {
  return keys.length < MOST_KEYS ? undefined : moreText(MOST_KEYS, of);
}

interface KeyFieldProps {
  readonly name: string;
  readonly label?: string;
  readonly keys: readonly KeyView[];
  readonly value?: string | null;
  /** The text of the empty choice. Without it, a key must be chosen. */
  readonly any?: string | undefined;
}

/** Chooses a key: from a list, or by its id if the actor may not list keys. */
export function KeyField({ name, label = LABELS.one.partnerKey, keys, value = null, any }: KeyFieldProps) {
  const isListed = value === null || keys.some(({ key }) => key.id === value);
  if (keys.length === 0 || !isListed) return <IdField of="key" name={name} label={label} value={value} />;
  const options = keys.map(({ key, label: text }) => [key.id, text] as const);
  return (
    <SelectField
      name={name}
      label={label}
      value={value}
      options={options}
      any={any}
      hint={moreKeysText(keys, 'keys')}
    />
  );
}

/** Chooses a partner by its name, or by its id if the actor may not list keys. */
export function PartnerField({ name, label, keys, value, any }: Required<KeyFieldProps>) {
  const names = new Map(keys.map(({ key, partnerName }) => [key.partnerId as string, partnerName]));
  const isListed = value === null || names.has(value);
  if (names.size === 0 || !isListed) return <IdField of="partner" name={name} label={label} value={value} />;
  return (
    <SelectField
      name={name}
      label={label}
      value={value}
      options={[...names]}
      any={any}
      hint={moreKeysText(keys, 'keys, and their partners')}
    />
  );
}
