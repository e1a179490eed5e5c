/** What a server hands in: one request, whatever the framework. */
export interface HttpRequest {
  /** As it came, e.g. `GET`. */
  readonly method: string;
  /** The raw request target: path and query, not decoded. A whole URL is understood too. */
  readonly target: string;
  /** The caller's network address; failed authentication is counted by it. */
  readonly clientAddress: string;
  /**
   * The values of all header fields of that name, in lower case, in their order. A server that joins repeated
   * fields with commas may hand in the joined value.
   */
  headerValues(name: string): readonly string[];
  /**
   * Reads the body, if it has at most `limit` bytes. Called once at most, and not at all where the reply does
   * not depend on the body: the server then disposes of what was not read.
   */
  readBody(limit: number): Promise<BodyReading>;
}

/** A body's bytes exactly as they came, or why there are none: too many, or the client went away. */
export type BodyReading = Uint8Array | 'too_large' | 'broken_off';

/** What a server sends back, unchanged. */
export interface HttpReply {
  readonly status: number;
  /** All header fields, each once; `Content-Length` among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as UTF-8; empty for `HEAD`. */
  readonly body: string;
}

/** The partner API as a function. It never rejects. */
export interface Handler {
  (request: HttpRequest): Promise<HttpReply>;
  /** The path that everything it serves lies under, e.g. `/api/v1/external`; without a slash at its end. */
  readonly basePath: string;
}
