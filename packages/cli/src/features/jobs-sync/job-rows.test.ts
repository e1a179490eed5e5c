import { describe, expect, it, vi } from 'vitest';
import { MAX_LINE_BYTES, readJobRows } from './job-rows.js';

async function* chunksOf(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array, void> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

/** Returns the id of each row, or the message of each line that cannot be read. */
async function read(...chunks: readonly (string | Uint8Array)[]): Promise<readonly string[]> {
  const said: string[] = [];
  for await (const row of readJobRows(chunksOf(...chunks)))
    said.push(row instanceof Error ? row.message : row.id);
  return said;
}

describe('rows of a file', () => {
  it('are one JSON object per line, with any line break, empty lines, a byte order mark or no last line break', async () => {
    expect(await read('\ufeff{"id":"job_1"}\r\n\n  \r\n{"id":"job_2"}\n{"id":"job_3"}')).toEqual([
      'job_1',
      'job_2',
      'job_3',
    ]);
    expect(await read()).toEqual([]);
  });

  it('may begin and end anywhere in a chunk, also within a character', async () => {
    const bytes = Buffer.from('{"id":"job_ä"}\n{"id":"job_2"}\n');
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(['job_ä', 'job_2']);
    }
  });

  it.each([
    ['secret', 'Line 2 is not JSON.'],
    ['17', 'Line 2 is not a JSON object: write one job per line, or one array.'],
    ['null', 'Line 2 is not a JSON object: write one job per line, or one array.'],
    ['[{"id":"job_2"}]', 'Line 2 is not a JSON object: write one job per line, or one array.'],
    ['{"title":"Cook"}', 'Line 2 has no id: "id" must be text such as "job_4711".'],
    ['{"id":17}', 'Line 2 has no id: "id" must be text such as "job_4711".'],
    [
      Buffer.from([0x22, 0xff, 0x22]),
      'Line 2 is not UTF-8, but perhaps Windows-1252: write UTF-8 or UTF-16.',
    ],
    [`{"id":"job_2","title":"${'x'.repeat(MAX_LINE_BYTES)}"}`, 'Line 2 is longer than 256 KiB.'],
  ])('are refused with the number of the line: %s', async (line, message) => {
    expect(await read('{"id":"job_1"}\n', line, '\n{"id":"job_3"}\n')).toEqual(['job_1', message, 'job_3']);
  });

  it('are the items of an array in any layout', async () => {
    const jobs = [{ id: 'job_1', title: 'a]},"\\' }, { id: 'job_ä', form: [{ a: ['{'] }] }, { id: 'job_3' }];
    for (const text of [JSON.stringify(jobs), `\ufeff\r\n ${JSON.stringify(jobs, null, 4)}\r\n`]) {
      const bytes = Buffer.from(text);
      for (let at = 0; at <= bytes.length; at += 1) {
        expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(['job_1', 'job_ä', 'job_3']);
      }
    }
    expect(await read('[]')).toEqual([]);
    expect(await read(' [ \n ] \n')).toEqual([]);
  });

  it('of an array are refused with the number of the item', async () => {
    expect(await read('[{"id":"job_1"},17,{"title":"Cook"},{"id":"job_3"}]')).toEqual([
      'job_1',
      'Item 2 is not a JSON object: write one job per line, or one array.',
      'Item 3 has no id: "id" must be text such as "job_4711".',
      'job_3',
    ]);
  });

  it.each([
    '[',
    '[{"id":"job_1"}\n',
    '[{"id":"job_1"},]',
    '[{"id":"job_1]',
    '[{"id":"job_1"}]\n{"id":"job_2"}',
  ])('of an array that breaks off or goes on are an error: %s', async (text) => {
    await expect(read(text)).rejects.toThrow(
      'The input begins an array, but is not JSON to its end, so no missing job was closed.',
    );
  });

  const utf16 = (text: string) => Buffer.from(text, 'utf16le');

  it.each([
    ['little-endian', (text: string) => utf16(`\ufeff${text}`)],
    ['big-endian', (text: string) => utf16(`\ufeff${text}`).swap16()],
    ['little-endian without a mark', utf16],
    ['big-endian without a mark', (text: string) => utf16(text).swap16()],
  ])('may be in UTF-16, %s', async (_, encode) => {
    for (const text of ['{"id":"job_ä"}\r\n{"id":"job_🍳"}\r\n', '[\r\n{"id":"job_ä"},{"id":"job_🍳"}]']) {
      const bytes = encode(text);
      for (let at = 0; at <= bytes.length; at += 1) {
        expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(['job_ä', 'job_🍳']);
      }
    }
  });

  it('in UTF-16 that is cut within a character are an error', async () => {
    await expect(read(utf16('\ufeff{"id":"job_1"}\n').subarray(0, -1))).rejects.toThrow(
      'The input is not valid utf-16le, so no missing job was closed.',
    );
  });

  it.each([
    Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]),
    Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x7b]),
    Buffer.from([0x7b, 0, 0, 0]),
  ])('in UTF-32 are an error that names the encoding', async (bytes) => {
    await expect(read(bytes)).rejects.toThrow('The jobs are encoded in UTF-32.');
  });

  it.each(['{"id":"job_2","ti', Buffer.from('{"id":"job_ä').subarray(0, -1), 'x'.repeat(MAX_LINE_BYTES + 1)])(
    'that end in the middle of a line are an error',
    async (end) => {
      await expect(read('{"id":"job_1"}\n', end)).rejects.toThrow(
        'The input ends in the middle of line 2, so no missing job was closed.',
      );
    },
  );

  it('are read chunk by chunk, and of an endless line only the first bytes are kept', async () => {
    const chunk = Buffer.alloc(MAX_LINE_BYTES / 4, 'x');
    let given = 0;
    async function* endless(): AsyncGenerator<Uint8Array, void> {
      yield Buffer.from('{"id":"job_1"}\n');
      for (; given < 1_000; given += 1) yield chunk;
      yield Buffer.from('\n');
    }
    const concat = vi.spyOn(Buffer, 'concat');
    const rows = readJobRows(endless());
    expect((await rows.next()).value).toEqual({ id: 'job_1' });
    expect(given).toBe(0);
    expect((await rows.next()).value).toMatchObject({ message: 'Line 2 is longer than 256 KiB.' });
    expect(given).toBe(1_000);
    const sizes = concat.mock.calls.map(([parts]) => parts.reduce((sum, { length }) => sum + length, 0));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_LINE_BYTES);
  });
});
