import { listKeysInScope } from '../../gate/keys-in-scope.js';
import { KeyField } from '../../screens/parts/key-field.js';
import type { ShowSection } from '../../screens/sections.js';
import { HiddenFields, SubmitButton } from '../../view/forms.js';

/** Compares what this key and another one see. */
export const comparisonOfKey: ShowSection<'key'> = async ({ call, keyId }) => {
  const action = call.gate.may('jobs:read') ? call.link('totals', '/missing') : null;
  const keys = action === null ? [] : await listKeysInScope(call.gate);
  const environment = keys.find(({ key }) => key.id === keyId)?.key.environment;
  const others = keys.filter(({ key }) => key.id !== keyId && key.environment === environment);
  if (action === null || others.length === 0) return {};
  const middle = (
    <form class="inline" method="get" action={action}>
      <HiddenFields fields={[['key', keyId]]} />
      <KeyField name="other" label="Jobs that this key does not see, but" keys={others} />
      <SubmitButton label="Compare" />
    </form>
  );
  return { middle };
};
