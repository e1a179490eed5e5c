import { OperatorError } from '@partner-hiring/core';
import { DEFAULT_SCHEMA, quotedSchema } from '../schema-name.js';

/** The schemas of the tables. Give one or several, not both. */
export interface PostgresSchemas {
  /** The schema of the tables. Default `partner_hiring`. */
  readonly schema?: string | undefined;
  /**
   * Several schemas, the cells. Each partner lives in one of them. The first one is the home cell: it also holds what
   * belongs to no partner. Keep their order, and give all processes the same ones.
   */
  readonly schemas?: readonly string[] | undefined;
}

/** Each connection prepares the statements of every cell that it uses, and a list asks every cell. */
const MOST_CELLS = 64;

/**
 * Returns the schemas, the home cell first. An only schema is not a cell.
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
    throw refusal('Both `schema` and `schemas` were given. Give `schemas` only, the home cell first.');
  }
  if (!Array.isArray(schemas)) {
    throw refusal(
      "`schemas` must be a list of names, such as `['ph_1', 'ph_2']`. For one schema, use `schema`.",
    );
  }
  const [home, ...others]: readonly string[] = schemas;
  if (home === undefined) {
    throw refusal('`schemas` is empty. Name the home cell first, then the other cells.');
  }
  if (schemas.length > MOST_CELLS) {
    throw refusal(`\`schemas\` has ${schemas.length} names. A storage has at most ${MOST_CELLS} cells.`);
  }
  for (const name of schemas) quotedSchema(name);
  const twice = schemas.find((name, index) => schemas.indexOf(name) !== index);
  if (twice !== undefined) throw refusal(`\`schemas\` has ${twice} twice. Name each cell once.`);
  return [home, ...others];
}

function refusal(message: string): OperatorError {
  return new OperatorError('MISCONFIGURED', message);
}
