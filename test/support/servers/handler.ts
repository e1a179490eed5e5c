import { createRedactingLogger } from '../../../packages/core/src/defaults/redacting-logger.js';
import { createHandler, type HandlerOptions } from '../../../packages/core/src/http/handler.js';
import type { BodyResult, HttpRequest } from '../../../packages/core/src/http/message.js';
import type { PartnerApi } from '../../../packages/core/src/partner/partner-api.js';
import { createFakePartnerApi } from '../client/fake-partner-api.js';
import { createFakeClock } from '../clock.js';

/** A log line. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A handler with fake use cases, its calls and its log. */
export type HandlerUnderTest = ReturnType<typeof createHandlerUnderTest>;

/** Options of a request. A header may have several values. */
export interface RequestParts {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

/** Builds a handler with fake use cases and sequential request ids. */
export function createHandlerUnderTest(
  changes: Partial<PartnerApi> = {},
  options: Partial<HandlerOptions> = {},
) {
  const { partner, asked } = createFakePartnerApi(changes);
  const logged: LogLine[] = [];
  const log = (level: LogLine['level']) => (fields: LogLine['fields'], message: string) => {
    logged.push({ level, fields, message });
  };
  let requests = 0;
  const handler = createHandler({
    partner,
    clock: createFakeClock(),
    random: { token: () => `request-${++requests}` },
    ...options,
    logger: createRedactingLogger(
      options.logger ?? { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    ),
  });
  return {
    handler,
    asked,
    logged,
    /** Sends a request under the base path. */
    send: (method: string, path: string, parts?: RequestParts) =>
      handler(neutralRequest(method, handler.basePath + path, parts)),
  };
}

/** A request without a server. */
export function neutralRequest(method: string, target: string, parts: RequestParts = {}): HttpRequest {
  const headers = Object.entries(parts.headers ?? {});
  return {
    method,
    target,
    clientAddress: '192.0.2.1',
    headerValues: (name) => headers.flatMap(([other, value]) => (other === name ? value : [])),
    readBody: async ({ maxBytes }): Promise<BodyResult> => {
      const bytes =
        typeof parts.body === 'string' ? Buffer.from(parts.body) : (parts.body ?? Buffer.alloc(0));
      return bytes.byteLength > maxBytes ? 'too_large' : bytes;
    },
  };
}
