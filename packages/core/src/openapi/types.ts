/** A JSON Schema as OpenAPI 3.0 has it. */
export type OpenApiSchema = Readonly<Record<string, unknown>>;

/** A place elsewhere in the document, e.g. `#/components/schemas/Job`. */
export interface OpenApiReference {
  readonly $ref: string;
}

/** A header of a response. */
export interface OpenApiHeader {
  readonly description: string;
  /** Whether it is always there. */
  readonly required: boolean;
  readonly schema: OpenApiSchema;
  readonly example: unknown;
}

/** A named example. */
export interface OpenApiExample {
  readonly summary: string;
  readonly value: unknown;
}

/** What a body is, with examples by name. */
export interface OpenApiContent {
  readonly 'application/json': {
    readonly schema: OpenApiSchema;
    readonly examples: Readonly<Record<string, OpenApiExample>>;
  };
}

/** One response of an operation. */
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
  readonly description: string;
  readonly schema: OpenApiSchema;
  readonly example?: unknown;
}

/** What one method of a path does. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Empty where no key is needed; the document's otherwise. */
  readonly security?: readonly [];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: true; readonly content: OpenApiContent };
  readonly responses: OpenApiResponses;
}

/** The operations of a path. */
export interface OpenApiPath {
  readonly get?: OpenApiOperation;
  readonly post?: OpenApiOperation;
}

/** An OpenAPI 3.0 document, as far as this API needs one. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Readonly<Record<string, OpenApiPath>>;
  /** What is sent to a partner's endpoint, by event type: OpenAPI 3.1 calls it `webhooks`. */
  readonly 'x-webhooks': Readonly<Record<string, { readonly post: OpenApiOperation }>>;
  /** What a request gets that fits no operation: an unknown path, another method. */
  readonly 'x-unmatched-requests': { readonly description: string; readonly responses: OpenApiResponses };
  readonly components: {
    readonly schemas: Readonly<Record<string, OpenApiSchema>>;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly headers: Readonly<Record<string, OpenApiHeader>>;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}
