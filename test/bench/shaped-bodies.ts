/** Shapes of JSON that a body may consist of: each gives the item with a number, and what stands around all items. */
interface Shape {
  readonly open: string;
  readonly close: string;
  readonly separator: string;
  readonly item: (index: number) => string;
}

const list = (item: Shape['item']): Shape => ({ open: '{"answers":[', close: ']}', separator: ',', item });
const record = (item: Shape['item']): Shape => ({ open: '{"answers":{', close: '}}', separator: ',', item });
const text = (item: Shape['item']): Shape => ({ open: '{"source":"', close: '"}', separator: '', item });

/** Deep enough to be read, far deeper than any form. */
const NESTING = 28;

/** The shapes by name: those that a parser, a walk over values, a fingerprint or a list of errors may find dear. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  'one long text': text(() => 'x'),
  'text of four bytes a letter': text(() => '𝄞'),
  'escaped text': text(() => '\\u0041'),
  NULs: text(() => '\\u0000'),
  'texts with NULs': list(() => '"\\u0000"'),
  'fields with texts': record((index) => `"question-${index}":"yes"`),
  'fields with numbers as names': record((index) => `"${index}":1`),
  'names in falling order': record((index) => `"${1_000_000 - index}":1`),
  'one field again and again': record(() => '"name":1'),
  'unknown fields': { open: '{', close: '}', separator: ',', item: (index) => `"field${index}":0` },
  numbers: list((index) => String(index % 10)),
  'numbers that are too large': list(() => '1e999'),
  texts: list(() => '"ab"'),
  'empty lists': list(() => '[]'),
  'empty objects': list(() => '{}'),
  'small objects': list(() => '{"a":1,"b":[2]}'),
  'nested lists': list(() => '['.repeat(NESTING) + ']'.repeat(NESTING)),
  'nested objects': list(() => `${'{"a":'.repeat(NESTING)}0${'}'.repeat(NESTING)}`),
};

/** A body of a shape, filled up with spaces to exactly so many bytes. */
export function shapedBody(name: string, bytes: number): string {
  const shape = SHAPES[name];
  if (shape === undefined) throw new Error(`"${name}" is not a shape.`);
  const { open, close, separator, item } = shape;
  const items: string[] = [];
  let left = bytes - open.length - close.length;
  for (let index = 0; ; index += 1) {
    const next = (index === 0 ? '' : separator) + item(index);
    left -= Buffer.byteLength(next);
    if (left < 0) return open + items.join('') + close + ' '.repeat(left + Buffer.byteLength(next));
    items.push(next);
  }
}
