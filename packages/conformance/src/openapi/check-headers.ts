import type { OpenApiSchema } from '@partner-hiring/partner-docs';
import type { SchemaChecker } from './schema-checker.js';

export interface DescribedHeader {
  readonly required: boolean;
  readonly schema: OpenApiSchema;
}

/** The `content` of a response in the document describes these headers, so its `headers` do not. */
const OF_THE_CONTENT = ['content-type', 'content-length'];

export function checkHeaders(
  checker: SchemaChecker,
  described: Readonly<Record<string, DescribedHeader>>,
  headers: Readonly<Record<string, string>>,
): readonly string[] {
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const known = new Set(Object.keys(described).map((name) => name.toLowerCase()));
  const unknown = [...given.keys()].filter((name) => !known.has(name) && !OF_THE_CONTENT.includes(name));
  return [
    ...unknown.map((name) => `header ${name} is not described`),
    ...Object.entries(described).flatMap(([name, header]) =>
      checkHeader(checker, name, header, given.get(name.toLowerCase())),
    ),
  ];
}

function checkHeader(
  checker: SchemaChecker,
  name: string,
  { required, schema }: DescribedHeader,
  text: string | undefined,
): readonly string[] {
  if (text === undefined) return required ? [`header ${name} is missing`] : [];
  const value = schema.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
  return checker.check(schema, value).map((problem) => `header ${name}: ${problem}`);
}
