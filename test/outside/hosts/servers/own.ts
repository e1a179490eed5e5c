/** The host's own routes. They answer later, as those do that ask a database. */
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function answer(text: string, ms = 5): Promise<string> {
  await later(ms);
  return text;
}

/** In front of the partner API, the console and the portal. */
export const early = () => answer('early');

/** Behind them, by path. */
export const OWN: Readonly<Record<string, () => Promise<string>>> = {
  '/own': () => answer('own'),
  '/slow': () => answer('slow', 1_000),
  '/broken': async () => {
    await later(5);
    throw new Error('The route failed.');
  },
};
