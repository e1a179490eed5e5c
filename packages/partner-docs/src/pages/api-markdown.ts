import type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiReference,
  OpenApiResponse,
} from '../openapi/types.js';
import { markdownTable, schemaTable, typeText } from './schema-table.js';

/** Returns the description of the API in Markdown: each operation, each event, each schema. */
export function apiMarkdown(document: OpenApiDocument): string {
  const { info, servers, paths, components } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]: [string, OpenApiOperation]) =>
      operationText(document, `${method.toUpperCase()} ${path}`, operation),
    ),
  );
  const events = Object.entries(document['x-webhooks']).map(([type, { post }]) =>
    operationText(document, type, post),
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) =>
    [`### ${name}`, ...optional(schema.description), schemaTable(schema)].join('\n\n'),
  );
  return `${[
    `# ${String(info.title)} ${String(info.version)}`,
    `Base URL: \`${servers[0]?.url ?? ''}\``,
    String(info.description).trim().replaceAll(/^# /gm, '## '),
    '## Endpoints',
    ...operations,
    '## Webhooks',
    ...events,
    '## Schemas',
    ...schemas,
  ].join('\n\n')}\n`;
}

function operationText(document: OpenApiDocument, heading: string, operation: OpenApiOperation): string {
  const { summary, description, parameters, requestBody, responses } = operation;
  return [
    `### ${heading}`,
    `${summary}. ${description}`,
    ...(parameters.length === 0 ? [] : [parameterTable(parameters)]),
    ...(requestBody === undefined ? [] : [`Body: ${bodyText(requestBody.content)}`]),
    markdownTable(
      ['Status', 'Meaning', 'Body'],
      Object.entries(responses).map(([status, response]) => {
        const { description: meaning, content } = resolve(document, response);
        return [status, meaning, content === undefined ? '' : typeText(content['application/json'].schema)];
      }),
    ),
  ].join('\n\n');
}

function parameterTable(parameters: readonly OpenApiParameter[]): string {
  return markdownTable(
    ['Parameter', 'In', 'Type', 'Required', 'Description'],
    parameters.map(({ name, in: place, schema, required, description }) => [
      `\`${name}\``,
      place,
      typeText(schema),
      required ? 'yes' : 'no',
      description,
    ]),
  );
}

/** The schema, and the first example. */
function bodyText({ 'application/json': { schema, examples } }: OpenApiContent): string {
  const [example] = Object.values(examples);
  const link = typeText(schema);
  return example === undefined
    ? link
    : `${link}\n\n\`\`\`json\n${JSON.stringify(example.value, null, 2)}\n\`\`\``;
}

function resolve(
  { components }: OpenApiDocument,
  response: OpenApiResponse | OpenApiReference,
): OpenApiResponse {
  if (!('$ref' in response)) return response;
  const name = response.$ref.slice(response.$ref.lastIndexOf('/') + 1);
  return components.responses[name] ?? { description: '' };
}

function optional(text: unknown): readonly string[] {
  return typeof text === 'string' ? [text] : [];
}
