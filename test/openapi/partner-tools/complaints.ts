/** The complaints that are right as they are, with the reason. */
const EXPLAINED: readonly { readonly tool: string; readonly complaint: RegExp; readonly reason: string }[] =
  [];

/** Returns the complaints that are not explained. */
export function unexplained(tool: string, complaints: readonly string[]): readonly string[] {
  return complaints.filter(
    (text) => !EXPLAINED.some((known) => known.tool === tool && known.complaint.test(text)),
  );
}
