import type { OpenApiDocument, OpenApiSchema } from '@partner-hiring/partner-docs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

export interface SchemaChecker {
  /** Lists what is wrong with a value, one line each. */
  check(schema: OpenApiSchema, value: unknown): readonly string[];
}

/** Ajv supports OpenAPI 3.0's `nullable`. */
export function createSchemaChecker({
  components,
}: {
  readonly components: Pick<OpenApiDocument['components'], 'schemas'>;
}): SchemaChecker {
  const ajv = new Ajv({ allErrors: true });
  formats.default(ajv);
  ajv.addVocabulary(['components', 'discriminator', 'example']);
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
    check: (schema, value) => {
      const validate = validatorOf(schema);
      return validate(value) ? [] : (validate.errors ?? []).map(describe);
    },
  };
}

function describe({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || 'the value'} ${message} ${JSON.stringify(params)}`;
}
