import { OPERATOR_COMMANDS } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import { Code, Time } from './parts.js';

const PARTS = /(`[^`]+`|\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z)/;
const GROUPS = [...new Set(OPERATOR_COMMANDS.map(({ name }) => name.split('.', 1).join('')))];
/** Sentences about commands of the operator are for the host's programmers. */
const COMMANDS = new RegExp(String.raw`\s*[^.!?]*\b(?:${GROUPS.join('|')})\.[a-z][\w.]*\w[^.!?]*[.!?]`, 'g');

/** A text of the library in plain words: instants as times, no backticks, and no sentences about its commands. */
export function Prose({ text }: { readonly text: string }) {
  const plain = text.replaceAll(COMMANDS, '').trim();
  const parts = (plain === '' ? text : plain).split(PARTS);
  return <>{parts.map(partOf)}</>;
}

function partOf(part: string, index: number): Child {
  // The pattern has one group, so every second part matches it.
  if (index % 2 === 0) return part;
  return part.startsWith('`') ? <Code text={part.slice(1, -1)} /> : <Time at={Date.parse(part)} />;
}
