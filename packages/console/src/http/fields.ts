import type { Fields } from './screen.js';

const LOCAL_INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?)?$/;

/** Reads the fields of a query or a form. */
export function readFields(params: URLSearchParams): Fields {
  const text = (name: string) => {
    const value = params.get(name)?.trim() ?? '';
    return value === '' ? null : value;
  };
  return {
    text,
    all: (name) => params.getAll(name),
    instant: (name) => {
      const value = text(name);
      if (value === null || !LOCAL_INSTANT.test(value)) return null;
      const at = Date.parse(value.includes('T') ? `${value}Z` : value);
      return Number.isNaN(at) ? null : at;
    },
    entries: () => [...params].filter(([, value]) => value !== ''),
  };
}

/** Writes an address with a query. Omits parameters that are null. */
export function addressOf(path: string, query: Readonly<Record<string, string | null>> = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== null) params.set(name, value);
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
}
