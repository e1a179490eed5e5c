import { CommandError } from '../../../command/command-error.js';
import { encodingOf, HEAD_BYTES } from '../encoding.js';

/** Converts UTF-16 to UTF-8. Other bytes stay as they are. */
export async function* toUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let convert: ((bytes?: Uint8Array) => Uint8Array) | null = null;
  let head = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (convert !== null) yield convert(chunk);
    else {
      head = Buffer.concat([head, chunk]);
      if (head.length < HEAD_BYTES) continue;
      convert = converterOf(head);
      yield convert(head);
    }
  }
  if (convert !== null) yield convert();
  else if (head.length > 0) yield head;
}

function converterOf(head: Uint8Array): (bytes?: Uint8Array) => Uint8Array {
  const encoding = encodingOf(head);
  // Lines that are not UTF-8 are refused one by one.
  if (encoding === 'utf-8') return (bytes = new Uint8Array()) => bytes;
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (bytes) => {
    try {
      return Buffer.from(decoder.decode(bytes, { stream: bytes !== undefined }));
    } catch {
      throw new CommandError('The input is not valid UTF-16, so no missing job was closed.');
    }
  };
}
