import { type ApplicationRecord, maskApplication } from '@partner-hiring/core';
import type { AnyOperator } from '../command/command.js';

const HIDDEN = '…';

/** Fields of results that may quote a candidate: the partner's own texts, answers of receivers, errors of the host. */
const QUOTES: ReadonlySet<string> = new Set(['source', 'sourceApplicationId', 'excerpt', 'lastError']);

type AnyCommand = (...input: readonly unknown[]) => Promise<unknown> | AsyncIterable<unknown>;

/** Returns the operator with masked personal data in the result of every command, and in every row of an iterator. */
export function maskResults(operator: AnyOperator): AnyOperator {
  const groups = Object.entries(operator).map(([name, group]) => [
    name,
    typeof group === 'object' && group !== null ? maskGroup(group) : group,
  ]);
  return Object.fromEntries(groups) as AnyOperator;
}

/** A group within a group has its own commands. */
function maskGroup(group: object): object {
  const commands = Object.entries(group as Readonly<Record<string, AnyCommand | object>>).map(
    ([verb, run]) => [
      verb,
      typeof run === 'function'
        ? (...input: readonly unknown[]) => maskResult((run as AnyCommand)(...input))
        : maskGroup(run),
    ],
  );
  return Object.fromEntries(commands) as object;
}

function maskResult(result: Promise<unknown> | AsyncIterable<unknown>): unknown {
  return Symbol.asyncIterator in result ? maskEach(result) : result.then(maskPersonalData);
}

async function* maskEach(rows: AsyncIterable<unknown>): AsyncGenerator<unknown, void> {
  for await (const row of rows) yield maskPersonalData(row);
}

/** Masks personal data anywhere in a value. Empty texts stay empty. */
export function maskPersonalData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskPersonalData);
  if (typeof value !== 'object' || value === null) return value;
  const shown = isApplication(value) ? maskApplication(value) : value;
  // The error of an operation is the library's own.
  const isOperation = 'plan' in shown;
  return Object.fromEntries(
    Object.entries(shown).map(([name, field]) => {
      if (QUOTES.has(name) && !isOperation) return [name, hide(field)];
      if (name === 'body' && typeof field === 'string') return [name, maskEventBody(field)];
      return [name, maskPersonalData(field)];
    }),
  );
}

/** Returns whether a value is an application with its candidate. */
export function isApplication(value: object): value is ApplicationRecord {
  return 'candidate' in value && 'answers' in value && 'resume' in value;
}

function hide(text: unknown): unknown {
  return typeof text === 'string' && text !== '' ? HIDDEN : text;
}

/** Masks the partner's own id in the body of an event. */
function maskEventBody(body: string): string {
  return JSON.stringify(maskPersonalData(JSON.parse(body)));
}
