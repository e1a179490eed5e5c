import * as z from 'zod';
import { EVENT_TYPES, type EventType } from '../domain/event.js';
import { FIELD_ERROR_CODES } from '../domain/field-error.js';
import { WIRE_ERROR_CODES, type WireErrorCode } from '../domain/wire-errors.js';
import { OWN_SCHEMAS, type WireOwn } from '../features/self-service/wire-schemas.js';
import { submissionSchema } from '../http/submission-schema.js';
import {
  errorSchema,
  fieldErrorSchema,
  fieldErrorSchemaOf,
  fieldPathSchema,
} from '../http/wire-schemas/errors.js';
import {
  applicationPageSchema,
  applicationSchema,
  createdApplicationSchema,
  eventSchema,
  jobPageSchema,
  jobSchema,
  OPEN_ENUM,
  optionSchema,
  questionSchema,
} from '../http/wire-schemas/resources.js';

/** A resource of the API that has a schema. */
export type WireResource =
  | 'Job'
  | 'FormQuestion'
  | 'FormOption'
  | 'JobPage'
  | 'Submission'
  | 'CreatedApplication'
  | 'Application'
  | 'ApplicationPage'
  | 'FieldError';

const RESOURCES: Readonly<Record<WireResource, z.ZodType>> = {
  Job: jobSchema,
  FormQuestion: questionSchema,
  FormOption: optionSchema,
  JobPage: jobPageSchema,
  Submission: submissionSchema,
  CreatedApplication: createdApplicationSchema,
  Application: applicationSchema,
  ApplicationPage: applicationPageSchema,
  FieldError: fieldErrorSchema,
};

/** Returns the name of an error's schema. Example: `JobClosedError`. */
export function errorSchemaName(code: WireErrorCode): string {
  const name = pascalCase(code.toLowerCase());
  return name.endsWith('Error') ? name : `${name}Error`;
}

/** Returns the name of an event's schema. Example: `JobOpenedEvent`. */
export function eventSchemaName(type: EventType): string {
  return `${pascalCase(type)}Event`;
}

/** Returns a reference to a schema of `wireSchemas`, such as `#/components/schemas/Job`. */
export function wireSchemaRef(name: WireResource | WireOwn | `${string}Error` | `${string}Event`): {
  readonly $ref: string;
} {
  return { $ref: uriOf(name) };
}

/** A JSON Schema of OpenAPI 3.0. */
type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON Schemas of resources, errors and events by name, in the dialect of OpenAPI 3.0.
 * @param maxBodyBytes - the largest request body. The path of a field of it cannot be longer.
 */
export function wireSchemas(maxBodyBytes: number): Readonly<Record<string, JsonSchema>> {
  return toJsonSchemas(namedSchemas(), maxBodyBytes);
}

/**
 * Returns the JSON Schemas of `/webhook-endpoint` by name, and that of a field's error with the codes of its routes.
 * @param maxBodyBytes - as for `wireSchemas`.
 */
export function ownWireSchemas(maxBodyBytes: number): Readonly<Record<WireOwn | 'FieldError', JsonSchema>> {
  const named: Readonly<Record<WireOwn | 'FieldError', z.ZodType>> = {
    ...OWN_SCHEMAS,
    FieldError: fieldErrorSchemaOf(FIELD_ERROR_CODES),
  };
  return toJsonSchemas(Object.entries(named), maxBodyBytes) as Readonly<
    Record<keyof typeof named, JsonSchema>
  >;
}

function toJsonSchemas(
  named: readonly (readonly [string, z.ZodType])[],
  maxBodyBytes: number,
): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of named) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    target: 'openapi-3.0',
    io: 'input',
    uri: uriOf,
    // Zod cannot convert custom schemas, so their metadata contains the JSON Schema.
    unrepresentable: ({ zodSchema }) => (zodSchema._zod.def.type === 'custom' ? 'any' : 'throw'),
    override: ({ jsonSchema, zodSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (OPEN_ENUM in jsonSchema) delete jsonSchema.enum;
      if (zodSchema === fieldPathSchema) jsonSchema.maxLength = maxBodyBytes;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $id: _, ...schema }]): [string, JsonSchema] => [name, schema]),
  );
}

function namedSchemas(): readonly (readonly [string, z.ZodType])[] {
  return [
    ...Object.entries(RESOURCES),
    ...WIRE_ERROR_CODES.map((code) => [errorSchemaName(code), errorSchema(code)] as const),
    ...EVENT_TYPES.map((type) => [eventSchemaName(type), eventSchema(type)] as const),
  ];
}

function uriOf(name: string): string {
  return `#/components/schemas/${name}`;
}

function pascalCase(text: string): string {
  return text.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
