/** A deterministic random generator from 0 up to 1: mulberry32. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const ALPHABETS = ['abcXYZ019_-+/=', ' "\\\n\t{}[]:,', 'äßçñø', '料理人طاهية', '👩🍳🔑💼'];

/** A random string of up to that many characters in several scripts. */
export function randomText(random: () => number, maxLength: number): string {
  const length = Math.floor(random() * (maxLength + 1));
  return Array.from({ length }, () => {
    const alphabet = [...(ALPHABETS[Math.floor(random() * ALPHABETS.length)] ?? '')];
    return alphabet[Math.floor(random() * alphabet.length)];
  }).join('');
}
