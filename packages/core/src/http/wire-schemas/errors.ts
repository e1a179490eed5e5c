import * as z from 'zod';
import {
  BASIC_FIELD_ERROR_CODES,
  type BasicFieldErrorCode,
  type FieldError,
} from '../../domain/field-error.js';
import type { RateScope } from '../../domain/rate-limit.js';
import { WIRE_ERRORS, type WireErrorCode } from '../../domain/wire-errors.js';
import type { WireErrorDetails } from '../../errors.js';
import { idOf, openEnum, same } from './resources.js';

/** Longer than every message. */
const MESSAGE_MAX_LENGTH = 1_000;

/** It may name a field of the body that does not exist, so it may be as long as the body. */
export const fieldPathSchema = z
  .string()
  .describe(
    'A dotted path such as `candidate.email`, the name of a header or a parameter, or empty for the body as a whole.',
  );

const messageSchema = z.string().meta({ maxLength: MESSAGE_MAX_LENGTH });

/** Returns the schema of an error of a field that has one of these codes. */
export function fieldErrorSchemaOf<const Code extends string>(codes: readonly Code[]) {
  return z
    .object({
      field: fieldPathSchema,
      code: openEnum(codes, 'What is wrong.'),
      message: messageSchema.describe('For your log. It never repeats the value.'),
    })
    .describe('What is wrong with one field.');
}

export const fieldErrorSchema = fieldErrorSchemaOf(BASIC_FIELD_ERROR_CODES);

const detailsSchemas = {
  VALIDATION_ERROR: z.object({ errors: z.array(fieldErrorSchema) }),
  IDEMPOTENCY_KEY_REUSED: z.object({
    sameJson: z.boolean().describe('Whether the two bodies are the same JSON in other bytes.'),
  }),
  DUPLICATE_SOURCE_APPLICATION_ID: z.object({
    applicationId: idOf('application').describe('Your application that carries this id already.'),
  }),
};
type Details = { [Code in keyof typeof detailsSchemas]: z.infer<(typeof detailsSchemas)[Code]> };
same<Details['VALIDATION_ERROR'], { errors: (Omit<FieldError, 'code'> & { code: BasicFieldErrorCode })[] }>(
  true,
);
same<Omit<Details, 'VALIDATION_ERROR'>, Omit<WireErrorDetails, 'VALIDATION_ERROR'>>(true);

/** Returns the message of an error, escaped for Markdown. */
export function describedMessage(code: WireErrorCode): string {
  return WIRE_ERRORS[code].message.replaceAll('<', '\\<');
}

/** Contract: 9.16. */
const rateLimitedSchema = z
  .object({
    ...head('RATE_LIMITED'),
    scope: openEnum(
      ['partner_company', 'partner'],
      '`partner_company`: only submissions to that company. `partner`: all requests of the key; each operation has a limit of its own, so others may still pass.',
    ),
    companyId: idOf('company').optional().describe('Present with the scope `partner_company`.'),
    retryAfter: z.int().min(1).describe('Whole seconds, as in `Retry-After`.'),
  })
  .describe(describedMessage('RATE_LIMITED'));

export type WireRateLimited = z.infer<typeof rateLimitedSchema>;
same<WireRateLimited['scope'], RateScope['kind']>(true);

/** Contract: 9.1. */
export function errorSchema(code: WireErrorCode): z.ZodObject {
  if (code === 'RATE_LIMITED') return rateLimitedSchema;
  const details = code in detailsSchemas ? { details: detailsSchemas[code as keyof Details] } : {};
  return z.object({ ...head(code), ...details }).describe(describedMessage(code));
}

function head<Code extends WireErrorCode>(code: Code) {
  return {
    error: z.literal(code).describe('Branch on this.'),
    message: messageSchema.describe('For your log; may change.'),
  };
}
