import type { ShowSection } from '../../screens/sections.js';

/** Links to the comparison of what two keys see. */
export const comparisonOfKey: ShowSection<'key'> = ({ call, keyId }) => {
  const href = call.gate.may('jobs:read') ? call.link('totals', '/missing', { key: keyId }) : null;
  if (href === null) return {};
  const middle = (
    <p class="hint">
      <a href={href}>Which jobs does another key see and this one not?</a>
    </p>
  );
  return { middle };
};
