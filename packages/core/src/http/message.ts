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
   * Reads the body within these limits. It is called at most once, and not at all where the reply does not depend on
   * the body: the server then discards what was not read.
   */
  readBody(limits: BodyLimits): Promise<BodyResult>;
}

/** What a body may take. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** How long the body may take to arrive, in milliseconds from the call on. */
  readonly timeoutMs: number;
}

/** A body's bytes exactly as they came, or why there are none. `broken_off`: the client went away. */
export type BodyResult = Uint8Array | 'too_large' | 'timed_out' | 'broken_off';

/** What a server sends back, unchanged. */
export interface HttpReply {
  readonly status: number;
  /** All header fields, each once; `Content-Length` among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as UTF-8; empty for `HEAD`. */
  readonly body: string;
  /** What the server still takes of a body that was not read, before it closes the connection. */
  readonly discard: DiscardLimits;
}

/** How much of an unread body a server discards. A client that still sends would otherwise not see the reply. */
export interface DiscardLimits {
  readonly maxBytes: number;
  readonly maxMs: number;
}

/** The partner API as a function. It never rejects. */
export interface Handler {
  (request: HttpRequest): Promise<HttpReply>;
  /** The path that everything it serves lies under, e.g. `/api/v1/external`; without a slash at its end. */
  readonly basePath: string;
}
