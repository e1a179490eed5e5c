/** Builds an event from a request and its body. */
export type ToGatewayEvent = (request: Request, body: Buffer) => unknown;

interface FormatOptions {
  readonly stage: string;
  /** Whether the gateway sends bodies in base64, as it does for media types that are configured as binary. */
  readonly isBase64: boolean;
}

const SOURCE_IP = '203.0.113.7';

/** Events in format 1 of API Gateway, as REST APIs send them. They name each header and each query parameter twice. */
export function formatOne({ stage, isBase64 }: FormatOptions): ToGatewayEvent {
  return (request, body) => {
    const { pathname, searchParams } = new URL(request.url);
    const headers = [...request.headers].map(([name, value]) => [asSent(name), value] as const);
    const queries = [...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]);
    return {
      resource: '/{proxy+}',
      path: pathname,
      httpMethod: request.method,
      headers: Object.fromEntries(headers),
      multiValueHeaders: Object.fromEntries(headers.map(([name, value]) => [name, [value]])),
      queryStringParameters: queries.length === 0 ? null : Object.fromEntries(searchParams),
      multiValueQueryStringParameters: queries.length === 0 ? null : Object.fromEntries(queries),
      pathParameters: { proxy: pathname.slice(1) },
      stageVariables: null,
      requestContext: {
        httpMethod: request.method,
        identity: { sourceIp: SOURCE_IP, userAgent: 'partner' },
        path: `/${stage}${pathname}`,
        protocol: 'HTTP/1.1',
        resourcePath: '/{proxy+}',
        stage,
      },
      body: body.byteLength === 0 ? null : body.toString(isBase64 ? 'base64' : 'utf8'),
      isBase64Encoded: isBase64 && body.byteLength > 0,
    };
  };
}

/**
 * Events in format 2 of API Gateway, as HTTP APIs and function URLs send them. The path starts with the stage, unless
 * the stage is the default one or `ownDomain` is set.
 */
export function formatTwo(options: FormatOptions & { readonly ownDomain?: boolean }): ToGatewayEvent {
  const { stage, isBase64, ownDomain = false } = options;
  return (request, body) => {
    const { pathname, search, searchParams } = new URL(request.url);
    const rawPath = stage === '$default' || ownDomain ? pathname : `/${stage}${pathname}`;
    const names = [...new Set(searchParams.keys())];
    const queries = names.map((name) => [name, searchParams.getAll(name).join(',')]);
    return {
      version: '2.0',
      routeKey: '$default',
      rawPath,
      rawQueryString: search.slice(1),
      headers: Object.fromEntries(request.headers),
      ...(names.length === 0 ? {} : { queryStringParameters: Object.fromEntries(queries) }),
      requestContext: {
        http: {
          method: request.method,
          path: rawPath,
          protocol: 'HTTP/1.1',
          sourceIp: SOURCE_IP,
          userAgent: 'partner',
        },
        routeKey: '$default',
        stage,
      },
      ...(body.byteLength === 0 ? {} : { body: body.toString(isBase64 ? 'base64' : 'utf8') }),
      isBase64Encoded: isBase64 && body.byteLength > 0,
    };
  };
}

/** An answer of a function, in both formats. */
export interface GatewayAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** Sends requests to a function as API Gateway does: events and answers are JSON. */
export function throughGateway(
  toEvent: ToGatewayEvent,
  invoke: (event: unknown) => Promise<GatewayAnswer>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const event = toEvent(request, Buffer.from(await request.arrayBuffer()));
    const answer = await invoke(JSON.parse(JSON.stringify(event)));
    const {
      statusCode: status,
      headers,
      body,
      isBase64Encoded,
    } = JSON.parse(JSON.stringify(answer)) as GatewayAnswer;
    const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
    return new Response(status === 204 ? null : bytes, { status, headers });
  };
}

/** REST APIs keep the letter case of the sender. */
function asSent(name: string): string {
  return name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
