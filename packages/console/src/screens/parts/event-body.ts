/** The body of an event. */
export interface EventBody {
  /** With line breaks, for people. A body that is no JSON is as it was sent. */
  readonly pretty: string;
  /** What the event is about. Empty if the body has no such object. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads the body of an event. */
export function readEventBody(body: string): EventBody {
  try {
    const parsed: { readonly data?: EventBody['data'] } | null = JSON.parse(body);
    return { pretty: JSON.stringify(parsed, null, 2), data: parsed?.data ?? {} };
  } catch {
    return { pretty: body, data: {} };
  }
}
