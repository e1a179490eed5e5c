/** All notifications. */
export const notified: Readonly<Record<string, unknown>>[] = [];

export const pager = {
  notify: async (notice: { readonly deduplicationKey: string; readonly kind: string }): Promise<void> => {
    notified.push({ ...notice });
  },
};
