import type { KeyView } from '@partner-hiring/core';
import { MOST_KEYS } from '../../gate/keys-in-scope.js';
import { isLibraryId } from '../../http/library-id.js';
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

/** Chooses a partner, or with `hasKeys` one of its keys: from a list, or by an id if the actor may not list keys. */
export function OwnerField({
  name,
  label,
  keys,
  value,
  any,
  hasKeys,
}: Required<KeyFieldProps> & { readonly hasKeys: boolean }) {
  const names = new Map(keys.map(({ key, partnerName }) => [key.partnerId as string, partnerName]));
  const options = [...names].flatMap(([id, text]) => {
    const own = hasKeys ? keys.filter(({ key }) => key.partnerId === id) : [];
    return [[id, text], ...own.map(({ key, label: of }) => [key.id as string, of] as const)] as const;
  });
  if (keys.length === 0 || (value !== null && !options.some(([id]) => id === value))) {
    const of = !hasKeys || (value !== null && isLibraryId('partner', value)) ? 'partner' : 'key';
    return <IdField of={of} name={name} label={label} value={value} />;
  }
  const hint = moreKeysText(keys, 'keys, and their partners');
  return <SelectField name={name} label={label} value={value} options={options} any={any} hint={hint} />;
}
