/**
 * A schema that takes the fields it names and no others. The published one is open, for v1 grows; what a server
 * of this version sends must stand in the document of this version.
 */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  const isOpenObject = isObject(inner.properties) && inner.additionalProperties === undefined;
  return isOpenObject && inner.type === 'object' ? { ...inner, additionalProperties: false } : inner;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
