import type { OpenApiSchema } from '@partner-hiring/core/openapi';

/**
 * The same schema, but its objects take the fields they name and no others. The published one is open, for v1
 * grows; what a server of this version sends must stand in the document of this version.
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
