import { resolveTarget } from '@partner-hiring/core';
import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiReference,
  OpenApiResponse,
  OpenApiResponses,
  OpenApiSchema,
} from '@partner-hiring/partner-docs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

/** The keyword of the document for the known values of an enum that v1 may extend. */
const OPEN_ENUM = 'x-extensible-enum';

/**
 * Returns the schema without additional properties, and with its known values only. The published schema allows others,
 * because v1 may grow.
 */
export function closed(schema: OpenApiSchema): OpenApiSchema {
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closedWithin(value)]),
  );
  // The published enums are open too. This version sends only the known values.
  if (Array.isArray(inner[OPEN_ENUM])) return { ...inner, enum: inner[OPEN_ENUM] };
  const isOpenObject = inner.type === 'object' && !('additionalProperties' in inner);
  return isOpenObject ? { ...inner, additionalProperties: false } : inner;
}

function closedWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedWithin);
  return typeof value === 'object' && value !== null ? closed(value as OpenApiSchema) : value;
}

export type SchemaChecker = ReturnType<typeof createSchemaChecker>;

/** Ajv supports OpenAPI 3.0's `nullable`. */
export function createSchemaChecker({
  components,
}: {
  readonly components: Pick<OpenApiDocument['components'], 'schemas'>;
}) {
  const ajv = new Ajv({ allErrors: true });
  formats.default(ajv);
  ajv.addVocabulary(['components', 'discriminator', 'example', OPEN_ENUM]);
  const definitions = { components: { schemas: components.schemas } };
  const compiled = new WeakMap<OpenApiSchema, ValidateFunction>();

  function validatorOf(schema: OpenApiSchema): ValidateFunction {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const validate = ajv.compile({ ...schema, ...definitions });
    compiled.set(schema, validate);
    return validate;
  }
  return {
    /** Lists what is wrong with a value, one line each. */
    check: (schema: OpenApiSchema, value: unknown) => {
      const validate = validatorOf(schema);
      return validate(value) ? [] : (validate.errors ?? []).map(describe);
    },
  };
}

function describe({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || 'the value'} ${message} ${JSON.stringify(params)}`;
}

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

/** A request and its response. */
export interface Exchange {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Checks traffic against an OpenAPI document, and rejects fields that the document does not describe. */
export type Contract = ReturnType<typeof createContract>;

/** Headers that every HTTP client sends. The document does not describe them. */
const OF_THE_CLIENT = ['Accept', 'User-Agent'];

/**
 * Creates a contract from a document of `createOpenApiDocument`.
 * @example
 * ```ts
 * const contract = createContract(createOpenApiDocument());
 * expect(contract.checkResponse(exchange)).toEqual([]);
 * ```
 */
export function createContract(document: OpenApiDocument) {
  const checker = createSchemaChecker({ components: { schemas: closedSchemas(document) } });
  const findOperation = operationFinder(document);

  function checkBody(content: OpenApiResponse['content'], text: string): readonly string[] {
    if (content === undefined) return text === '' ? [] : ['a body is not described'];
    const json = parse(text);
    return json === undefined
      ? ['the body is no JSON']
      : checker.check(content['application/json'].schema, json);
  }

  return {
    /** Lists the deviations of a response, one line each. */
    checkResponse: ({ method, target, status, headers, body }: Exchange) => {
      const operation = findOperation(method, target);
      const responses = operation?.responses ?? document['x-unmatched-requests'].responses;
      const response = responseOf(document, responses, status);
      if (response === null)
        return [`${status} is not described for ${operation?.operationId ?? 'an unmatched request'}`];
      const problems = checkHeaders(checker, headersOf(document, response), headers);
      const isJson = headers['Content-Type'] === 'application/json';
      return [
        ...problems,
        ...(isJson ? [] : [`Content-Type is ${headers['Content-Type']}`]),
        ...(method === 'HEAD' ? [] : checkBody(response.content, body)),
      ];
    },
    /** Lists the deviations of a delivery. */
    checkDelivery: ({ headers, body }: Pick<Exchange, 'headers' | 'body'>) => {
      const type = (parse(body) as { readonly type?: unknown } | undefined)?.type;
      const post = document['x-webhooks'][String(type)]?.post;
      if (post === undefined) return [`no delivery of the type ${String(type)} is described`];
      const ours = Object.entries(headers).filter(([name]) => !OF_THE_CLIENT.includes(name));
      const signed = Object.fromEntries(ours);
      const described = Object.fromEntries(post.parameters.map((parameter) => [parameter.name, parameter]));
      return [...checkHeaders(checker, described, signed), ...checkBody(post.requestBody?.content, body)];
    },
  };
}

function closedSchemas({ components }: OpenApiDocument): OpenApiDocument['components']['schemas'] {
  return Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [name, closed(schema)]),
  );
}

function operationFinder({ servers, paths }: OpenApiDocument) {
  const base = new URL(servers[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
  const patterns = Object.entries(paths).map(([template, path]) => {
    return { pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`), path };
  });
  return (method: string, target: string): OpenApiOperation | null => {
    const [path = ''] = resolveTarget(target).split('?', 1);
    if (!path.startsWith(base)) return null;
    const found = patterns.find(({ pattern }) => pattern.test(path.slice(base.length)))?.path;
    if (method === 'GET' || method === 'HEAD') return found?.get ?? null;
    if (method === 'PUT') return found?.put ?? null;
    return method === 'POST' ? (found?.post ?? null) : null;
  };
}

function responseOf(
  document: OpenApiDocument,
  responses: OpenApiResponses,
  status: number,
): OpenApiResponse | null {
  const response = responses[String(status)];
  if (response === undefined) return null;
  return '$ref' in response ? (document.components.responses[nameIn(response)] ?? null) : response;
}

function headersOf(
  { components }: OpenApiDocument,
  { headers = {} }: OpenApiResponse,
): Readonly<Record<string, DescribedHeader>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, reference]) => {
      const header = components.headers[nameIn(reference)];
      return header === undefined ? [] : [[name, header]];
    }),
  );
}

function nameIn({ $ref }: OpenApiReference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
