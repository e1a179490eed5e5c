/** A JSON Schema of OpenAPI 3.0. */
export type OpenApiSchema = Readonly<Record<string, unknown>>;

/** Such as `#/components/schemas/Job`. */
export interface OpenApiReference {
  readonly $ref: string;
}

/** A response header. */
export interface OpenApiHeader {
  readonly description: string;
  readonly required: boolean;
  readonly schema: OpenApiSchema;
  readonly example: unknown;
}

/** A named example. */
export interface OpenApiExample {
  readonly summary: string;
  readonly value: unknown;
}

/** A JSON body with named examples. */
export interface OpenApiContent {
  readonly 'application/json': {
    readonly schema: OpenApiSchema;
    readonly examples: Readonly<Record<string, OpenApiExample>>;
  };
}

/** A response of an operation. */
export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, OpenApiReference>>;
  readonly content?: OpenApiContent;
}

/** Responses by status. */
export type OpenApiResponses = Readonly<Record<string, OpenApiResponse | OpenApiReference>>;

/** A parameter in a query, a path or a header. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required: boolean;
  readonly allowEmptyValue?: true;
  readonly description: string;
  readonly schema: OpenApiSchema;
  readonly example?: unknown;
}

/** One method of a path. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Empty if the operation needs no key. If omitted, the document's default security applies. */
  readonly security?: readonly [];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: true; readonly content: OpenApiContent };
  readonly responses: OpenApiResponses;
}

/** The operations of a path. */
export interface OpenApiPath {
  readonly get?: OpenApiOperation;
  readonly post?: OpenApiOperation;
  readonly put?: OpenApiOperation;
}

/** The part of an OpenAPI 3.0 document that this API needs. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  /** The documentation of the host. Undefined if the host did not name it; JSON then leaves it out. */
  readonly externalDocs: { readonly description: string; readonly url: string } | undefined;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Readonly<Record<string, OpenApiPath>>;
  /** The webhook operations by event type, like `webhooks` in OpenAPI 3.1. */
  readonly 'x-webhooks': Readonly<Record<string, { readonly post: OpenApiOperation }>>;
  /** Replies to an unknown path or method. */
  readonly 'x-unmatched-requests': { readonly description: string; readonly responses: OpenApiResponses };
  readonly components: {
    readonly schemas: Readonly<Record<string, OpenApiSchema>>;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly headers: Readonly<Record<string, OpenApiHeader>>;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}
