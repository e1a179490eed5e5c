import type { OpenApiSchema } from '@partner-hiring/partner-docs';

/**
 * Returns the schema without additional properties. The published schema allows them, because v1 may grow.
 */
export function closed(schema: OpenApiSchema): OpenApiSchema {
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closedWithin(value)]),
  );
  const isOpenObject = inner.type === 'object' && !('additionalProperties' in inner);
  return isOpenObject ? { ...inner, additionalProperties: false } : inner;
}

function closedWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedWithin);
  return typeof value === 'object' && value !== null ? closed(value as OpenApiSchema) : value;
}
