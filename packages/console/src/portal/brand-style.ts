import { type ConsoleAsset, createAsset } from '../assets/assets.js';
import type { PortalBrand } from './options.js';

type Rgb = readonly [red: number, green: number, blue: number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** The lightest page and the lightest dark panel on which links stand: see `console.css`. */
const LIGHT_PAGE: Rgb = [245, 247, 249];
const DARK_PANEL: Rgb = [37, 48, 64];
/** Easy to read, by WCAG 2.2. */
const CONTRAST = 4.5;
const STEP = 0.04;

/** Returns the style sheet with the host's colour. Undefined without one. */
export function brandStyle({ accent }: PortalBrand): ConsoleAsset | undefined {
  if (accent === undefined) return undefined;
  const colour = rgbOf(accent);
  const text = contrast(colour, WHITE) >= contrast(colour, BLACK) ? WHITE : BLACK;
  const rules = (link: Rgb) =>
    `--action: ${hexOf(colour)}; --link: ${hexOf(link)}; --pico-primary-inverse: ${hexOf(text)};`;
  const light = mixUntilReadable(colour, BLACK, LIGHT_PAGE);
  const dark = mixUntilReadable(colour, WHITE, DARK_PANEL);
  return createAsset(
    'brand',
    'css',
    'text/css',
    `:root:not([data-theme]) { ${rules(light)} }
@media (prefers-color-scheme: dark) { :root:not([data-theme]) { ${rules(dark)} } }
`,
  );
}

/** Mixes a colour with another one until it can be read on a background. */
function mixUntilReadable(colour: Rgb, other: Rgb, back: Rgb): Rgb {
  for (let part = 0; part < 1; part += STEP) {
    const mixed = mix(colour, other, part);
    if (contrast(mixed, back) >= CONTRAST) return mixed;
  }
  return other;
}

function mix([r, g, b]: Rgb, [red, green, blue]: Rgb, part: number): Rgb {
  const one = (from: number, to: number) => Math.round(from + (to - from) * part);
  return [one(r, red), one(g, green), one(b, blue)];
}

/** The contrast of two colours, from 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function rgbOf(hex: string): Rgb {
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

function hexOf(colour: Rgb): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
