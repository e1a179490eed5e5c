import type { OpenApiSchema } from '../openapi/types.js';

/** A field of a schema, with the path to it. Example: `company.id`. */
interface Field {
  readonly path: string;
  readonly schema: OpenApiSchema;
  readonly isRequired: boolean;
}

/** Returns the fields of an object as a Markdown table. Fields of inner objects have a path. */
export function schemaTable(schema: OpenApiSchema): string {
  const rows = fieldsOf(schema, '').map(({ path, schema: field, isRequired }) => [
    `\`${path}\``,
    typeText(field),
    isRequired ? 'yes' : 'no',
    String(field.description ?? ''),
  ]);
  return markdownTable(['Field', 'Type', 'Required', 'Description'], rows);
}

export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, columns.map(() => '---'), ...rows].map(markdownRow).join('\n');
}

function markdownRow(row: readonly string[]): string {
  const texts = row.map((text) => text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|'));
  return `| ${texts.join(' | ')} |`;
}

function fieldsOf(schema: OpenApiSchema, within: string): readonly Field[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Readonly<Record<string, OpenApiSchema>>;
    required?: readonly string[];
  };
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${within}${name}`;
    return [{ path, schema: field, isRequired: required.includes(name) }, ...fieldsOf(field, `${path}.`)];
  });
}

/** The limits that JSON Schema puts on a value, and how a reader knows them. */
const LIMITS: readonly (readonly [keyword: string, text: string])[] = [
  ['minLength', 'at least'],
  ['maxLength', 'at most'],
  ['minimum', 'from'],
  ['maximum', 'to'],
  ['default', 'default'],
];

interface TypedSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly items?: OpenApiSchema;
  readonly $ref?: string;
  readonly oneOf?: readonly OpenApiSchema[];
}

/** Returns the type of a value for people. Example: `string (date-time) or null`. */
export function typeText(schema: OpenApiSchema): string {
  const { type, format, enum: values, nullable, items, $ref, oneOf } = schema as TypedSchema;
  if ($ref !== undefined) return schemaLink($ref);
  if (oneOf !== undefined) return oneOf.map(typeText).join(' or ');
  if (items !== undefined) return withNull(`list of ${typeText(items)}`, nullable);
  const kind =
    values === undefined ? (type ?? 'any value') : values.map((value) => `\`${String(value)}\``).join(', ');
  const limits = LIMITS.flatMap(([keyword, text]) =>
    keyword in schema ? `${text} ${String(schema[keyword])}` : [],
  );
  const notes = [...(format === undefined ? [] : [format]), ...limits];
  return withNull(notes.length === 0 ? kind : `${kind} (${notes.join(', ')})`, nullable);
}

function withNull(text: string, nullable = false): string {
  return nullable ? `${text}, or null` : text;
}

/** Returns a link to the section of a schema. */
function schemaLink(reference: string): string {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return `[${name}](#${name.toLowerCase()})`;
}
