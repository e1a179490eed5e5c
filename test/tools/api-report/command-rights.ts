import type ts from '@typescript/typescript6';
import { ID_PREFIXES } from '../../../packages/core/src/domain/ids.js';
import { OPERATOR_COMMANDS } from '../../../packages/core/src/features/commands.js';
import { PORTAL_RIGHTS } from '../../../packages/core/src/features/portal/rules.js';
import { operatorMethods } from '../../architecture/operator-methods.js';
import type { PublicSurface } from '../../architecture/published.js';

/** A word, ids of all kinds, a request's id, and a list: a search needs the rights for what its text may be. */
const SAMPLES: readonly unknown[] = [
  'sample',
  ...Object.values(ID_PREFIXES).map((prefix) => `${prefix}1`),
  '00000000-0000-0000-0000-000000000000',
  PORTAL_RIGHTS,
];

type Command = (typeof OPERATOR_COMMANDS)[number];

/** Says of each command of the operator which right a limited operator needs, by the declaration of its method. */
export function commandRights(surface: PublicSurface): ReadonlyMap<ts.Declaration, string> {
  const methods = operatorMethods(surface);
  return new Map(
    OPERATOR_COMMANDS.map((command) => {
      const declaration = methods.get(command.name)?.declarations?.[0];
      if (declaration === undefined) throw new Error(`Operator has no method ${command.name}.`);
      return [declaration, textOf(command)];
    }),
  );
}

function textOf({ fields, guard }: Command): string {
  if (guard === null) return 'Right: none, so a limited operator cannot call it.';
  const fixed = guard.rights({});
  const samples = fields.flatMap(({ name, choices = [] }) =>
    [...choices, ...SAMPLES].map((value) => ({ [name]: value })),
  );
  const all = [...new Set([...fixed, ...samples.flatMap((sample) => guard.rights(sample))])];
  const names = all.map((right) => `\`${right}\``).join(', ');
  return all.length === 1 ? `Right: ${names}.` : `Right, by the input: ${names}.`;
}
