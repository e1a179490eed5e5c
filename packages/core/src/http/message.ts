/** A request of any web framework. */
export interface HttpRequest {
  readonly method: string;
  /** The raw, undecoded target: path and query, or a whole URL. */
  readonly target: string;
  /** The address whose failed authentications are counted. */
  readonly clientAddress: string;
  /** Takes a lower-case name. A server may join repeated fields with commas. */
  headerValues(name: string): readonly string[];
  /** Whether the server trusts the proxy that sent the request, and so its `X-Forwarded-Prefix`; default: no. */
  readonly isFromTrustedProxy?: (() => boolean) | undefined;
  /** Reads the body. The handler calls it at most once. If it is not called, the server discards the body. */
  readBody(limits: BodyLimits): Promise<BodyResult>;
}

/** The limits of a body. */
export interface BodyLimits {
  /** The largest body, in bytes. */
  readonly maxBytes: number;
  /** How long the body may take to arrive, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * The exact bytes of a body, or the reason why they are missing. `broken_off` means that the client
 * disconnected.
 */
export type BodyResult = Uint8Array | 'too_large' | 'timed_out' | 'broken_off';

/** A reply to send unchanged. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly discard: DiscardLimits;
}

/**
 * How much of an unread body the server reads and discards. If it discarded nothing, a client that is still sending
 * would not see the reply.
 */
export interface DiscardLimits {
  /** How much to discard, in bytes. */
  readonly maxBytes: number;
  /** How long to go on, in milliseconds. */
  readonly maxMs: number;
}

/** The partner API as a function, which never rejects. */
export interface Handler {
  (request: HttpRequest): Promise<HttpReply>;
  readonly basePath: string;
}
