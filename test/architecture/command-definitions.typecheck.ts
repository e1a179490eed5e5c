/**
 * A definition takes exactly what its interface method takes. Only the compiler reads this file. If an
 * expected error is missing, `npm run typecheck` fails.
 */
import type { KeyId } from '@partner-hiring/core';
import type { CommandDefinition, Definitions } from '../../packages/core/src/operator/command/definition.js';
import { flag, id, listField, optional, text } from '../../packages/core/src/operator/command/fields.js';
import { either, filter, list, nothing, record } from '../../packages/core/src/operator/command/input.js';

interface Target {
  readonly keyId: KeyId;
  readonly dryRun?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
}

interface Commands {
  act(target: Target): Promise<number>;
}

const fields = { keyId: id('key'), dryRun: optional(flag) };
const tags = listField(text(), { max: 3, rule: 'must be a list of texts' });
const summary = 'Acts';
const run = async () => 1;

export const exact: Definitions<Commands> = {
  act: { summary, input: record({ ...fields, tags: optional(tags) }), run },
};

// @ts-expect-error: a command of the interface has no definition
export const missing: Definitions<Commands> = {};

export const unknown: Definitions<Commands> = {
  act: exact.act,
  // @ts-expect-error: the interface has no such method
  other: exact.act,
};

// @ts-expect-error: a field of the interface is missing
export const without: Definitions<Commands> = { act: { summary, input: record(fields), run } };

export const more: Definitions<Commands> = {
  // @ts-expect-error: the interface does not have this field
  act: { summary, input: record({ ...fields, tags: optional(tags), colour: optional(text()) }), run },
};

export const required: Definitions<Commands> = {
  // @ts-expect-error: the interface has it as an optional field
  act: { summary, input: record({ ...fields, tags }), run },
};

export const otherId: Definitions<Commands> = {
  // @ts-expect-error: the id of another kind
  act: { summary, input: record({ ...fields, keyId: id('job'), tags: optional(tags) }), run },
};

export const anyText: Definitions<Commands> = {
  // @ts-expect-error: any text is no id
  act: { summary, input: record({ ...fields, keyId: text(), tags: optional(tags) }), run },
};

export const omitted: Definitions<Commands> = {
  // @ts-expect-error: the interface needs the input
  act: { summary, input: filter({ ...fields, tags: optional(tags) }), run },
};

export const otherResult: Definitions<Commands> = {
  // @ts-expect-error: another result
  act: { ...exact.act, run: async () => 'one' },
};

export const withoutClaims: Definitions<Commands> = {
  // @ts-expect-error: a right without what the command claims
  act: { summary, input: record({ ...fields, tags: optional(tags) }), run, right: 'keys:read' },
};

type Definition<Value> = CommandDefinition<Value, number>;

export const ofList: Definition<readonly { readonly keyId: KeyId; readonly dryRun?: boolean | undefined }[]> =
  {
    summary,
    input: list(fields, { name: 'keys', rule: 'one for each key' }),
    run,
  };

export const ofFilter: Definition<{ readonly dryRun?: boolean | undefined } | undefined> = {
  summary,
  input: filter({ dryRun: optional(flag) }),
  run,
};

export const ofNothing: Definition<unknown> = { summary, input: nothing(), run };

type Either =
  | { readonly keyId: KeyId; readonly hash: string }
  | { readonly keyId: KeyId; readonly all: true };

export const ofUnion: Definition<Either> = {
  summary,
  // @ts-expect-error: a field of one member is missing
  input: either<Either>()({ keyId: id('key'), hash: optional(text()) }, () => []),
  run,
};

export const ofUnionWithMore: Definition<Either> = {
  summary,
  input: either<Either>()(
    // @ts-expect-error: no member has this field
    { keyId: id('key'), hash: optional(text()), all: optional(flag), colour: optional(text()) },
    () => [],
  ),
  run,
};
