import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { bytesOf, openInput } from './open-input.js';

test('a terminal is refused as the input, because nobody types a file of jobs', async () => {
  vi.spyOn(process, 'stdin', 'get').mockReturnValue({ isTTY: true } as typeof process.stdin);
  await expect(openInput()).rejects.toThrow('Pass --file FILE, or pipe the jobs into this command');
  await expect(openInput('-')).rejects.toThrow('Pass --file FILE, or pipe the jobs into this command');
});

test('an input that breaks off is an error with the reason, and the bytes before it are read', async () => {
  async function* broken(): AsyncGenerator<Uint8Array, void> {
    yield Buffer.from('one');
    throw Object.assign(new Error('EIO: i/o error, read /secret'), { code: 'EIO' });
  }
  const bytes = bytesOf(Readable.from(broken()));
  expect((await bytes.next()).value).toEqual(Buffer.from('one'));
  await expect(bytes.next()).rejects.toThrow(
    'The input could not be read to its end: the system reports EIO. No missing job was closed.',
  );
});
