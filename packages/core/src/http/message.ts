/** A request of any web framework. */
export interface HttpRequest {
  /** For example `GET`. */
  readonly method: string;
  /** The raw request target, not decoded: path and query, or a whole URL. */
  readonly target: string;
  /** The caller's network address, by which failed authentication is counted. */
  readonly clientAddress: string;
  /**
   * Returns the values of all header fields with that name, which is in lower case. A server that joins repeated fields
   * with commas may return the joined value.
   */
  headerValues(name: string): readonly string[];
  /** Reads the body. The handler calls it at most once. If it does not, the server discards the body. */
  readBody(limits: BodyLimits): Promise<BodyResult>;
}

/** The limits of a body. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** How long the body may take to arrive from the call on. */
  readonly timeoutMs: number;
}

/** The exact bytes of a body, or why they are missing. `broken_off`: the client went away. */
export type BodyResult = Uint8Array | 'too_large' | 'timed_out' | 'broken_off';

/** A reply to send unchanged. */
export interface HttpReply {
  readonly status: number;
  /** All header fields, each once, including `Content-Length`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as UTF-8; empty for `HEAD`. */
  readonly body: string;
  readonly discard: DiscardLimits;
}

/** How much of an unread body to discard before the connection closes, so that a client that still sends sees the reply. */
export interface DiscardLimits {
  readonly maxBytes: number;
  readonly maxMs: number;
}

/** The partner API as a function, which never rejects. */
export interface Handler {
  (request: HttpRequest): Promise<HttpReply>;
  /** The path of the API without a trailing slash, for example `/api/v1/external`. */
  readonly basePath: string;
}
