/** Stored files by key. */
export const stored = new Map<string, { readonly bytes: Uint8Array; readonly contentType: string }>();

export const bucket = {
  put: async (key: string, bytes: Uint8Array, { contentType }: { readonly contentType: string }) => {
    stored.set(key, { bytes, contentType });
  },
};
