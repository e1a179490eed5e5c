import { z } from 'zod';
import { EVENT_TYPES, type EventType } from '../domain/event.js';
import { WIRE_ERRORS, type WireErrorCode } from '../errors.js';
import { submissionSchema } from '../http/submission-schema.js';
import {
  applicationPageSchema,
  applicationSchema,
  createdApplicationSchema,
} from '../http/wire-schemas/application.js';
import { errorSchema, fieldErrorSchema } from '../http/wire-schemas/errors.js';
import { eventSchema } from '../http/wire-schemas/events.js';
import { jobPageSchema, jobSchema, optionSchema, questionSchema } from '../http/wire-schemas/job.js';
import type { OpenApiReference, OpenApiSchema } from './types.js';

const ERROR_CODES = Object.keys(WIRE_ERRORS) as readonly WireErrorCode[];

const RESOURCES = {
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

export function errorName(code: WireErrorCode): string {
  const name = pascalCase(code.toLowerCase());
  return name.endsWith('Error') ? name : `${name}Error`;
}

export function eventName(type: EventType): string {
  return `${pascalCase(type)}Event`;
}

export function schemaRef(
  name: keyof typeof RESOURCES | `${string}Error` | `${string}Event`,
): OpenApiReference {
  return { $ref: uriOf(name) };
}

export function componentSchemas(): Readonly<Record<string, OpenApiSchema>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of namedSchemas()) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    target: 'openapi-3.0',
    io: 'input',
    uri: uriOf,
    // Zod cannot convert custom schemas, so their metadata holds the JSON Schema.
    unrepresentable: ({ zodSchema }) => (zodSchema._zod.def.type === 'custom' ? 'any' : 'throw'),
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $id: _, ...schema }]): [string, OpenApiSchema] => [name, schema]),
  );
}

function namedSchemas(): readonly (readonly [string, z.ZodType])[] {
  return [
    ...Object.entries(RESOURCES),
    ...ERROR_CODES.map((code) => [errorName(code), errorSchema(code)] as const),
    ...EVENT_TYPES.map((type) => [eventName(type), eventSchema(type)] as const),
  ];
}

function uriOf(name: string): string {
  return `#/components/schemas/${name}`;
}

function pascalCase(text: string): string {
  return text.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
