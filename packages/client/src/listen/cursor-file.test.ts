import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createCursorFile } from './cursor-file.js';

const AT = { updatedThrough: '2026-11-21T10:15:30.123Z', forwarded: 'evt_1' };
const SCOPE = 'https://api.example.com pek_test';

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-listen-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'cursor.json');
}

test('keeps a position, in a file that only its owner may read', async () => {
  const path = newPath();
  expect(await createCursorFile(path, SCOPE).read()).toEqual({ updatedThrough: null, forwarded: null });
  await createCursorFile(path, SCOPE).write(AT);
  expect(await createCursorFile(path, SCOPE).read()).toEqual(AT);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('survives a kill in the middle of a write', async () => {
  const path = newPath();
  await createCursorFile(path, SCOPE).write(AT);
  writeFileSync(`${path}.tmp`, '{"upd');
  expect(await createCursorFile(path, SCOPE).read()).toEqual(AT);
  await createCursorFile(path, SCOPE).write({ ...AT, forwarded: 'evt_2' });
  expect(await createCursorFile(path, SCOPE).read()).toEqual({ ...AT, forwarded: 'evt_2' });
  expect(readdirSync(join(path, '..'))).toEqual(['cursor.json']);
});

test.each(['', '{', '[]', '{}', '{"updatedThrough":1,"forwarded":null}'])(
  'refuses the damaged file %j, and leaves it',
  async (text) => {
    const path = newPath();
    writeFileSync(path, text);
    await expect(createCursorFile(path, SCOPE).read()).rejects.toThrow(/is not a cursor file.*Delete it/);
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

test('refuses the position of another service or kind of key', async () => {
  const path = newPath();
  await createCursorFile(path, SCOPE).write(AT);
  const other = createCursorFile(path, 'https://api.example.com pek_live');
  await expect(other.read()).rejects.toThrow(/another service.*--cursor/);
});

test('says that it cannot write, and how to go on', async () => {
  const cursor = createCursorFile(join(newPath(), 'not', 'there.json'), SCOPE);
  await expect(cursor.write(AT)).rejects.toThrow(/cannot be written \(ENOENT\).*--cursor/);
});
