/** What the body of an event says, for links to the objects. */
export interface EventBody {
  /** The body with line breaks, for people. */
  readonly pretty: string;
  readonly applicationId: string | null;
  readonly jobId: string | null;
  readonly companyId: string | null;
}

/** Reads the body of an event. A body that is no JSON is shown as it is. */
export function readEventBody(body: string): EventBody {
  const parsed = parse(body);
  const data = fieldsOf(fieldsOf(parsed).data);
  const idOf = (name: string) => (typeof data[name] === 'string' ? data[name] : null);
  return {
    pretty: parsed === null ? body : JSON.stringify(parsed, null, 2),
    applicationId: idOf('applicationId'),
    jobId: idOf('jobId'),
    companyId: idOf('companyId'),
  };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
