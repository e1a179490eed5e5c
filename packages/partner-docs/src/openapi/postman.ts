import { createOpenApiDocument, type OpenApiOptions } from './document.js';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from './types.js';

/** A collection in Postman's format 2.1. Postman, Insomnia, Bruno and Hoppscotch import it. */
export interface PostmanCollection {
  readonly info: { readonly name: string; readonly description: string; readonly schema: string };
  readonly auth: Readonly<Record<string, unknown>>;
  readonly variable: readonly PostmanField[];
  /** One folder for each tag of the OpenAPI document. */
  readonly item: readonly {
    readonly name: string;
    readonly description: string;
    readonly item: readonly PostmanItem[];
  }[];
}

/** A request of a collection. */
export interface PostmanItem {
  readonly name: string;
  readonly event?: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly request: {
    readonly method: string;
    readonly description: string;
    readonly header: readonly PostmanField[];
    readonly url: {
      readonly raw: string;
      readonly host: readonly string[];
      readonly path: readonly string[];
      readonly query: readonly PostmanField[];
      readonly variable: readonly PostmanField[];
    };
    readonly body?: Readonly<Record<string, unknown>> | undefined;
  };
  readonly response: readonly [];
}

/** A header, a parameter of the query, a part of the path, or a variable. */
export interface PostmanField {
  readonly key: string;
  readonly value: string;
  readonly description?: string;
  readonly disabled?: true;
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** The address in the collection if the host does not give its origin. */
const EXAMPLE_ORIGIN = 'https://hiring.example.com';

/**
 * Scripts that store the ids of a reply as variables, by operation. Later requests use the variables, so the collection
 * can run from its first request to its last.
 */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  listJobs: [
    '// A job whose form needs no answers.',
    'const needsAnswers = ({ applicationFormSchema }) => (applicationFormSchema ?? []).some(({ required }) => required);',
    'const job = (pm.response.json().data ?? []).find((one) => !needsAnswers(one));',
    "if (job) pm.collectionVariables.set('jobId', job.id);",
  ],
  submitApplication: [
    "if (pm.response.code === 201) pm.collectionVariables.set('applicationId', pm.response.json().id);",
  ],
  listWebhookDeliveries: [
    'const [delivery] = pm.response.json().data ?? [];',
    "if (delivery) pm.collectionVariables.set('eventId', delivery.eventId);",
  ],
};

/** Variables that replace the examples of parameters, by the name of the parameter. */
const VARIABLES: Readonly<Record<string, string>> = {
  'Idempotency-Key': '{{$guid}}', // a new UUID v4 for each request
  id: '{{applicationId}}',
  eventId: '{{eventId}}',
};

const CONTENT_TYPE: PostmanField = { key: 'Content-Type', value: 'application/json' };

const PREFACE =
  'Set the variable `apiKey` to your key. Run the requests in their order, or list jobs and submit before you read an ' +
  'application. Each send has a new `Idempotency-Key`: to repeat a submission, replace `{{$guid}}` by the key that was sent.';

/**
 * Creates a Postman collection of the API from the OpenAPI document. Equal options give an equal collection.
 * @throws OperatorError `MISCONFIGURED` if `origin` or `basePath` is invalid.
 * @example
 * const collection = createPostmanCollection({ origin: 'https://hiring.example.com' });
 * await writeFile('postman_collection.json', JSON.stringify(collection, null, 2));
 */
export function createPostmanCollection(options: OpenApiOptions = {}): PostmanCollection {
  const document = createOpenApiDocument({ ...options, origin: options.origin ?? EXAMPLE_ORIGIN });
  return {
    info: { name: String(document.info.title), description: PREFACE, schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: document.servers[0]?.url ?? '' },
      ...variablesOf(document).map((key) => ({ key, value: '' })),
    ],
    item: document.tags
      .map(({ name, description }) => ({ name, description, item: itemsOf(document, name) }))
      .filter(({ item }) => item.length > 0),
  };
}

function variablesOf({ paths }: OpenApiDocument): readonly string[] {
  const own = Object.keys(paths).some((path) => path.includes('{eventId}')) ? ['eventId'] : [];
  return ['apiKey', 'jobId', 'applicationId', ...own];
}

function itemsOf({ paths }: OpenApiDocument, tag: string): readonly PostmanItem[] {
  const items = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): [OpenApiOperation, PostmanItem] => [
      operation,
      itemOf(path, method, operation),
    ]),
  );
  // A submission comes first, so that the requests after it find an application.
  const ordered = [...items].sort(
    ([a], [b]) => Number(b.requestBody !== undefined) - Number(a.requestBody !== undefined),
  );
  return ordered.filter(([{ tags }]) => tags.includes(tag)).map(([, item]) => item);
}

function itemOf(path: string, method: string, operation: OpenApiOperation): PostmanItem {
  const segments = path
    .split('/')
    .slice(1)
    .map((segment) => segment.replace(/^\{(.*)\}$/, ':$1'));
  const { operationId, summary, description, parameters, requestBody } = operation;
  const script = SCRIPTS[operationId];
  const examples = requestBody?.content['application/json'].examples ?? {};
  const example = (examples.small ?? examples.body)?.value;
  const fieldsIn = (place: OpenApiParameter['in']) =>
    parameters.filter((one) => one.in === place).map(fieldOf);
  return {
    name: summary,
    event: script === undefined ? undefined : [eventOf(script)],
    request: {
      method: method.toUpperCase(),
      description,
      header: [...fieldsIn('header'), ...(example === undefined ? [] : [CONTENT_TYPE])],
      url: {
        raw: ['{{baseUrl}}', ...segments].join('/'),
        host: ['{{baseUrl}}'],
        path: segments,
        query: fieldsIn('query'),
        variable: fieldsIn('path'),
      },
      body: example === undefined ? undefined : bodyOf(example),
    },
    response: [],
  };
}

/** Optional parameters are listed, but not sent. */
function fieldOf({ name, description, required, example }: OpenApiParameter): PostmanField {
  const value = VARIABLES[name] ?? String(example ?? '');
  const field = { key: name, value, description };
  return required ? field : { ...field, disabled: true };
}

/** A submission takes the job that the list of jobs gave. */
function bodyOf(example: unknown): Readonly<Record<string, unknown>> {
  const fields = example as object;
  const body = 'jobId' in fields ? { ...fields, jobId: '{{jobId}}' } : fields;
  return { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } };
}

function eventOf(exec: readonly string[]): Readonly<Record<string, unknown>> {
  return { listen: 'test', script: { type: 'text/javascript', exec } };
}
