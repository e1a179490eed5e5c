import { jsx } from 'hono/jsx';
import { expect, it } from 'vitest';
import { Id } from '../../view/ids.js';
import { None, StateBadge, Time } from '../../view/parts.js';
import { cellText } from './cell-text.js';

it('the text of a cell has what the cell says: whole ids, ISO instants, no buttons', async () => {
  expect(await cellText('A… L… & "Co" <x>')).toBe('A… L… & "Co" <x>');
  expect(await cellText(Id({ value: 'key_0123456789abcdef' }))).toBe('key_0123456789abcdef');
  expect(await cellText(jsx('small', { title: 'ej_app_0123456789' }, '…456789'))).toBe('ej_app_0123456789');
  expect(await cellText(Time({ at: 0 }))).toBe('1970-01-01T00:00:00Z');
  expect(await cellText(jsx(async () => jsx('b', {}, 'later'), {}))).toBe('later');
  const retry = jsx('button', { type: 'submit' }, 'Retry');
  const form = jsx('form', {}, jsx('input', { name: 'a' }), StateBadge({ state: 'in_progress' }), retry);
  expect(await cellText(form)).toBe('in progress');
  expect(await cellText(None())).toBe('');
  expect(await cellText(null)).toBe('');
});
