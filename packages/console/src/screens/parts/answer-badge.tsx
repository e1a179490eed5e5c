/** The answer to a request: its status, amber if it was refused and red if the platform failed, and the code of its error exactly as the partner got it. */
export function AnswerBadge({ status, code }: { readonly status: number; readonly code: string | null }) {
  if (code === null) return <span class="badge good">{String(status)}</span>;
  return (
    <span class={`badge ${status < 500 ? 'warn' : 'bad'}`}>
      {`${status} `}
      <code>{code}</code>
    </span>
  );
}
