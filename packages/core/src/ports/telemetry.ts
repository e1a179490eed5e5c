/** Structured log fields. Never a secret, a key or personal data. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where the library logs; pino's and Fastify's loggers have this form. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}
