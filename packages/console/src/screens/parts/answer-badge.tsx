/** The answer to a request: its status, and the code of its error exactly as the partner got it. */
export function AnswerBadge({ status, code }: { readonly status: number; readonly code: string | null }) {
  if (code === null) return <span class="badge good">{String(status)}</span>;
  return (
    <span class="badge bad">
      {`${status} `}
      <code>{code}</code>
    </span>
  );
}
