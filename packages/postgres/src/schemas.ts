import { storageMisconfiguration } from '@partner-hiring/storage-kysely';
import { DEFAULT_SCHEMA, quotedSchema } from './schema-name.js';

/** The schemas of the tables. Give one or several, not both. */
export interface PostgresSchemas {
  /** The schema of the tables. Default `partner_hiring`. */
  readonly schema?: string | undefined;
  /**
   * Several schemas. Each partner lives in one of them. The first one also holds what belongs to no partner. Keep their
   * order, and give all processes the same ones.
   */
  readonly schemas?: readonly string[] | undefined;
}

/**
 * The number is limited, because each connection prepares statements for every schema that it uses, and a list asks
 * every schema.
 */
const MOST_SCHEMAS = 64;

/**
 * Returns the schemas in their order.
 * @throws OperatorError `MISCONFIGURED` if both options are given, or the list is empty, too long or has duplicates.
 */
export function readSchemas({ schema, schemas }: PostgresSchemas): readonly [string, ...string[]] {
  if (schemas === undefined) {
    // Not `??`: null is a mistake, and must not mean the default.
    const only = schema === undefined ? DEFAULT_SCHEMA : schema;
    quotedSchema(only);
    return [only];
  }
  if (schema !== undefined) {
    throw storageMisconfiguration('Both `schema` and `schemas` were given. Give only `schemas`.');
  }
  if (!Array.isArray(schemas)) {
    throw storageMisconfiguration(
      "`schemas` must be a list of names, such as `['ph_1', 'ph_2']`. For one schema, use `schema`.",
    );
  }
  const [first, ...others]: readonly string[] = schemas;
  if (first === undefined) {
    throw storageMisconfiguration('`schemas` is empty. Name each schema of the storage.');
  }
  if (schemas.length > MOST_SCHEMAS) {
    throw storageMisconfiguration(
      `\`schemas\` has ${schemas.length} names. A storage has at most ${MOST_SCHEMAS} schemas.`,
    );
  }
  for (const name of schemas) quotedSchema(name);
  const twice = schemas.find((name, index) => schemas.indexOf(name) !== index);
  if (twice !== undefined)
    throw storageMisconfiguration(`\`schemas\` has ${twice} twice. Name each schema once.`);
  return [first, ...others];
}
