import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, test } from 'vitest';
import { createCursorFile } from './cursor-file.js';

const AT = { updatedThrough: '2026-11-21T10:15:30.123Z', forwarded: 'evt_1' };
const OWNER = { scope: 'https://api.example.com pek_test', apiKey: 'pek_test_first' };
const ROTATED = { ...OWNER, apiKey: 'pek_test_second' };

function newPath(): string {
  return join(temporaryFolder(), 'cursor.json');
}

test('keeps a position, in a file that only its owner may read', async () => {
  const path = newPath();
  expect(await createCursorFile(path, OWNER).read()).toEqual({ updatedThrough: null, forwarded: null });
  await createCursorFile(path, OWNER).write(AT);
  expect(await createCursorFile(path, OWNER).read()).toEqual(AT);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('survives a kill in the middle of a write', async () => {
  const path = newPath();
  await createCursorFile(path, OWNER).write(AT);
  writeFileSync(`${path}.tmp`, '{"upd');
  expect(await createCursorFile(path, OWNER).read()).toEqual(AT);
  await createCursorFile(path, OWNER).write({ ...AT, forwarded: 'evt_2' });
  expect(await createCursorFile(path, OWNER).read()).toEqual({ ...AT, forwarded: 'evt_2' });
  expect(readdirSync(join(path, '..'))).toEqual(['cursor.json']);
});

test.each(['', '{', '[]', '{}', '{"updatedThrough":1,"forwarded":null}'])(
  'refuses the damaged file %j, and leaves it',
  async (text) => {
    const path = newPath();
    writeFileSync(path, text);
    await expect(createCursorFile(path, OWNER).read()).rejects.toThrow(/is not a cursor file.*Delete it/);
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

test('refuses the position of another service or kind of key', async () => {
  const path = newPath();
  await createCursorFile(path, OWNER).write(AT);
  const other = createCursorFile(path, { ...OWNER, scope: 'https://api.example.com pek_live' });
  await expect(other.read()).rejects.toThrow(/another service.*--cursor/);
});

test('keeps no secret, and refuses another one unless the key was rotated', async () => {
  const path = newPath();
  await createCursorFile(path, OWNER).write(AT);
  expect(readFileSync(path, 'utf8')).not.toContain('first');
  const refusal = /is for another key.*--rotated.*--cursor/;
  await expect(createCursorFile(path, ROTATED).read()).rejects.toThrow(refusal);

  const rotated = createCursorFile(path, { ...ROTATED, isRotated: true });
  expect(await rotated.read()).toEqual(AT);
  await rotated.write(AT);
  for (const isRotated of [false, true]) {
    expect(await createCursorFile(path, { ...ROTATED, isRotated }).read()).toEqual(AT);
  }
  await expect(createCursorFile(path, OWNER).read()).rejects.toThrow(refusal);
});

test('accepts a file of an earlier version, which has no hash, and adds the hash', async () => {
  const path = newPath();
  writeFileSync(path, JSON.stringify({ scope: OWNER.scope, ...AT }));
  const cursor = createCursorFile(path, OWNER);
  expect(await cursor.read()).toEqual(AT);
  await cursor.write(AT);
  await expect(createCursorFile(path, ROTATED).read()).rejects.toThrow('another key');
});

test('stops the earlier of two writers of one file, which may run on two machines', async () => {
  const path = newPath();
  const [earlier, later] = [createCursorFile(path, OWNER), createCursorFile(path, OWNER)];
  await earlier.write(AT);
  await later.write(AT);
  await expect(earlier.write({ ...AT, forwarded: 'evt_0' })).rejects.toThrow(/Another process.*--cursor/);
  await later.write({ ...AT, forwarded: 'evt_2' });
  expect(await later.read()).toEqual({ ...AT, forwarded: 'evt_2' });
});

test('says that it cannot write, and how to go on', async () => {
  const cursor = createCursorFile(join(newPath(), 'not', 'there.json'), OWNER);
  await expect(cursor.write(AT)).rejects.toThrow(/cannot be written \(ENOENT\).*--cursor/);
});
